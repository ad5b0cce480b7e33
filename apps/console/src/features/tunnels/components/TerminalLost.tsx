import { Button, Group, Loader, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountdown } from '../use-countdown.ts';
import classes from './terminal.module.css';

const nothing = () => undefined;

interface Props {
  /** By Date.now. */
  until: number;
  onTryNow: () => void;
}

/** Below a shell that waits on the server while its connection is sought again. */
export function TerminalLost({ until, onTryNow }: Props) {
  const { t } = useTranslation('tunnels');
  const [wait] = useState(() => Math.max(0, Math.round((until - Date.now()) / 1000)));
  const seconds = useCountdown(wait, until, nothing) ?? wait;
  return (
    <Group className={classes.ended ?? ''} justify="space-between" gap="sm">
      <Group gap="xs" wrap="nowrap">
        <Loader size={14} />
        <Text size="sm">
          <span role="status">{t('end.lost')}</span> <span>{t('end.waits', { seconds })}</span>
        </Text>
      </Group>
      <Button size="xs" onClick={onTryNow}>
        {t('end.tryNow')}
      </Button>
    </Group>
  );
}
