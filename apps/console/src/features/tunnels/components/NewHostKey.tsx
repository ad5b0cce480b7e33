import { CloseButton, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './terminal.module.css';

/** At the first login the host key is taken on trust: the user sees which one, and may compare. */
export function NewHostKey({ fingerprint }: { fingerprint: string }) {
  const { t } = useTranslation('tunnels');
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  return (
    <Group className={classes.notice ?? ''} justify="space-between" wrap="nowrap" gap="sm" role="status">
      <Text size="sm">
        {t('hostKey.newTitle')} <code className={classes.fingerprint}>{fingerprint}</code>
      </Text>
      <CloseButton size="sm" aria-label={t('hostKey.dismiss')} onClick={() => setHidden(true)} />
    </Group>
  );
}
