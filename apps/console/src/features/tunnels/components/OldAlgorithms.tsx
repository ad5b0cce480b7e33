import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconShieldExclamation } from '../../../shared/icons/IconShieldExclamation.ts';
import classes from './terminal.module.css';

interface Props {
  algorithms: string[];
  /** What OpenSSH would say. */
  detail: string;
  /** Undefined for whoever may not take them for the controller. */
  onAccept: (() => void) | undefined;
}

/** Above the login form: the login was stopped before any password left, as the device has old algorithms alone. */
export function OldAlgorithms({ algorithms, detail, onAccept }: Props) {
  const { t } = useTranslation('tunnels');
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconShieldExclamation />}
      title={t('oldSsh.title')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('oldSsh.text')}</Text>
        {algorithms.map((name) => (
          <code key={name} className={classes.fingerprint}>
            {name}
          </code>
        ))}
        {onAccept ? (
          <>
            <Text size="sm">{t('oldSsh.consent')}</Text>
            <Button variant="default" onClick={onAccept}>
              {t('oldSsh.accept')}
            </Button>
          </>
        ) : (
          <Text size="sm">{t('oldSsh.guest')}</Text>
        )}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      </Stack>
    </Alert>
  );
}
