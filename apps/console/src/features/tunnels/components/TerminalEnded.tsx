import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { TerminalEnd } from '../terminal/terminal-state.ts';
import classes from './terminal.module.css';

interface Props {
  end: TerminalEnd;
  onReconnect: () => void;
  onEditLogin: () => void;
}

/** Below the last screen of a shell that is over: how it ended, and the way back. */
export function TerminalEnded({ end, onReconnect, onEditLogin }: Props) {
  const { t } = useTranslation('tunnels');
  const text = () => {
    if (end.type === 'failed') return t(`failure.${end.code}`);
    if (end.type === 'refused') return end.detail;
    if (end.type === 'dropped') return t('end.dropped');
    if (end.signal !== null) return t('end.signal', { signal: end.signal });
    return end.exitCode === null ? t('end.exit') : t('end.exitCode', { code: end.exitCode });
  };
  return (
    <Group className={classes.ended ?? ''} justify="space-between" gap="sm" role="status">
      <Text size="sm">{text()}</Text>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onEditLogin}>
          {t('end.editLogin')}
        </Button>
        <Button size="xs" onClick={onReconnect} autoFocus>
          {t('end.reconnect')}
        </Button>
      </Group>
    </Group>
  );
}
