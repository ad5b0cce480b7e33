import { Button, Text, Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readErrorMessages } from '../api/error-messages.ts';
import classes from './state.module.css';

interface Props {
  error: unknown;
  onRetry: () => void;
  /** What failed, where the page can say it better. */
  title?: string;
}

/** In place of what could not be loaded: what failed, why, and another try. */
export function ErrorState({ error, onRetry, title }: Props) {
  const { t } = useTranslation('shared');
  const messages = useErrorMessages(error);
  return (
    <div className={classes.state} role="alert">
      <Title order={2} size="h3">
        {title ?? t('loadFailed')}
      </Title>
      <Text size="sm" c="dimmed" maw={420}>
        {error instanceof ApiError ? messages : t('unreachable')}
      </Text>
      <div className={classes.action}>
        <Button variant="default" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </div>
  );
}

/** The body of an answer is read asynchronously; until then, and in place of nothing, there is a no-break space. */
function useErrorMessages(error: unknown): string {
  const { data } = useQuery({
    queryKey: ['error-messages', error instanceof ApiError ? error.message : ''],
    queryFn: () => (error instanceof ApiError ? readErrorMessages(error) : []),
    staleTime: 0,
    gcTime: 0,
  });
  return data?.join(' ') || '\u00a0';
}
