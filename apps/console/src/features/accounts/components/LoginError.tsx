import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LoginFailure } from '../login-failure.ts';

interface Props {
  failure: LoginFailure | undefined;
  /** Of a throttled login. */
  secondsLeft: number;
}

/** Why the login failed, above its fields. */
export function LoginError({ failure, secondsLeft }: Props) {
  const { t } = useTranslation('accounts');
  if (!failure || (failure.kind === 'throttled' && secondsLeft === 0)) return null;
  return (
    <Alert
      color="red"
      variant="light"
      p="xs"
      role="alert"
      styles={{ message: { color: 'inherit' }, root: { color: 'var(--pult-danger)' } }}
    >
      {failure.kind === 'throttled' ? t('login.tooMany', { count: secondsLeft }) : t(`login.${failure.kind}`)}
    </Alert>
  );
}
