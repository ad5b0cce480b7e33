import { Button } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from './palette.module.css';

/** The search failed: said here, as what needs no server can still be found. */
export function PaletteFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation(['palette', 'shared']);
  return (
    <div className={classes.failure} role="alert">
      <span>
        <strong>{t('failed')}</strong>
        {error instanceof ApiError ? null : `. ${t('unreachable', { ns: 'shared' })}`}
      </span>
      <Button size="compact-sm" variant="default" onClick={onRetry}>
        {t('retry', { ns: 'shared' })}
      </Button>
    </div>
  );
}
