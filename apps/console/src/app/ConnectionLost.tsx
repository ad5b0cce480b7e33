import { Button, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../shared/api/client.ts';
import { useIsReachable } from '../shared/api/connection.ts';
import { useDocumentTitle } from '../shared/page/title.ts';
import { useCountdown } from '../shared/time/use-countdown.ts';
import classes from '../shared/ui/state.module.css';

const retrySeconds = 5;

/** In place of a page that the server did not answer for. It asks until the server is back. */
export function ConnectionLost({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation(['app', 'shared']);
  const isReachable = useIsReachable();
  const [tries, setTries] = useState(0);
  const [isTrying, setIsTrying] = useState(false);
  const tryNow = () => {
    setIsTrying(true);
    // The client itself notes whether it is answered.
    void api('getEnvironments')
      .catch(() => undefined)
      .finally(() => {
        setIsTrying(false);
        setTries((count) => count + 1);
      });
  };
  const seconds = useCountdown(retrySeconds, isTrying ? undefined : tries, tryNow);
  useDocumentTitle(t('lost.title'));
  useEffect(() => {
    if (isReachable) onBack();
  }, [isReachable, onBack]);
  return (
    <div className={classes.state}>
      <Title order={1} size="h3" aria-live="assertive">
        {t('lost.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {seconds === undefined ? t('lost.trying') : t('lost.wait', { seconds })}
      </Text>
      <div className={classes.action}>
        <Button variant="default" loading={isTrying} onClick={tryNow}>
          {t('retry', { ns: 'shared' })}
        </Button>
      </div>
    </div>
  );
}
