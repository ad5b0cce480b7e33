import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconShieldExclamation } from '../../../shared/icons/IconShieldExclamation.ts';
import { ForgetHostKey } from './ForgetHostKey.tsx';
import classes from './terminal.module.css';

interface Props {
  serialNumber: string;
  /** Who cannot be asked what they may. */
  isGuest: boolean;
  pinned: string | undefined;
  presented: string | undefined;
  onRetry: () => void;
}

/** Instead of the login form: the login was stopped before any password left: the device's host key is not the one pinned at the first login. */
export function HostKeyChanged({ serialNumber, isGuest, pinned, presented, onRetry }: Props) {
  const { t } = useTranslation('tunnels');
  const fingerprints = [
    [t('hostKey.pinned'), pinned],
    [t('hostKey.presented'), presented],
  ] as const;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconShieldExclamation />}
      title={t('hostKey.changedTitle')}
      role="alert"
    >
      <Stack gap="sm">
        <Text size="sm">{t('hostKey.changedText')}</Text>
        {fingerprints.map(([label, fingerprint]) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <code className={classes.fingerprint}>{fingerprint ?? '—'}</code>
          </div>
        ))}
        <Text size="sm">{t('hostKey.changedAdvice')}</Text>
        <Group gap="xs">
          <Button variant="default" onClick={onRetry}>
            {t('hostKey.retry')}
          </Button>
          {!isGuest && (
            <ForgetHostKey serialNumber={serialNumber} presented={presented} onForgotten={onRetry} />
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
