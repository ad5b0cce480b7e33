import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../api/error-messages.ts';
import classes from './charts.module.css';

/** Over charts that show what was read before: they could not go on, and why. */
export function RefreshFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation(['charts', 'shared']);
  const reason = useErrorMessage(error);
  return (
    <div className={classes.failure} role="status">
      <span>{t('refreshFailed', { reason })}</span>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        {t('retry', { ns: 'shared' })}
      </Button>
    </div>
  );
}
