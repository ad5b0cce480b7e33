import { Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isToasted, useErrorMessage } from '../api/error-messages.ts';
import classes from './state.module.css';

interface Props {
  error: unknown;
  onRetry: () => void;
  /** What failed, where the page can say it better. */
  title?: string | undefined;
}

/** In place of what could not be loaded: what failed, another try, and why, unless a toast tells it. */
export function ErrorState({ error, onRetry, title }: Props) {
  const { t } = useTranslation('shared');
  const message = useErrorMessage(error);
  return (
    <div className={classes.state} role="alert">
      <Title order={2} size="h3">
        {title ?? t('loadFailed')}
      </Title>
      {isToasted(error) ? null : (
        <Text size="sm" c="dimmed" maw={420}>
          {message}
        </Text>
      )}
      <div className={classes.action}>
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  );
}
