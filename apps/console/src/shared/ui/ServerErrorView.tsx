import { Anchor, Button, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { readServiceStatusUrl } from '../page/meta.ts';
import { useDocumentTitle } from '../page/title.ts';
import classes from './server-error.module.css';

interface Props {
  /** HTTP status; none when nothing answered. */
  status: number | undefined;
  onRetry?: () => void;
}

/**
 * The full-page server error (spec-coverage: Server-error view: full page with the status). Works without the API: its
 * link comes from the page itself.
 */
export function ServerErrorView({ status = 500, onRetry }: Props) {
  const { t } = useTranslation('shared');
  const statusUrl = readServiceStatusUrl();
  useDocumentTitle(t('serverError.title'));
  return (
    <main className={classes.view}>
      <span className={classes.status}>{status}</span>
      <div className={classes.text} role="alert">
        <Title order={1}>{t('serverError.title')}</Title>
        <Text c="dimmed">
          {statusUrl === undefined ? (
            t('serverError.unavailable')
          ) : (
            <>
              {t('serverError.description')}{' '}
              <Anchor href={statusUrl} target="_blank" rel="noopener noreferrer" underline="always">
                {t('serverError.link')}
              </Anchor>
            </>
          )}
        </Text>
        {onRetry ? (
          <Button mt="md" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        ) : null}
      </div>
    </main>
  );
}
