import { Alert, Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isToasted, useErrorMessage } from '../../shared/api/error-messages.ts';
import { useBeginSignIn } from './use-begin-sign-in.ts';

interface Props {
  /** As people know the provider. */
  name: string;
  provider: string;
  returnTo: string;
  /** The way that the page is for. */
  isPrimary?: boolean;
}

export function SignInButton({ name, provider, returnTo, isPrimary = false }: Props) {
  const { t } = useTranslation('accounts');
  const begin = useBeginSignIn();
  return (
    <Stack gap="xs">
      {begin.error && <SignInError error={begin.error} />}
      <Button
        fullWidth
        variant={isPrimary ? 'filled' : 'default'}
        loading={begin.isLeaving}
        onClick={() => begin.mutate({ provider, returnTo })}
      >
        {t('signIn.with', { name })}
      </Button>
    </Stack>
  );
}

/** Why a sign-in does not go on, in the server’s words. */
function SignInError({ error }: { error: unknown }) {
  const message = useErrorMessage(error);
  if (isToasted(error)) return null;
  return (
    <Alert
      color="red"
      variant="light"
      p="xs"
      role="alert"
      styles={{ message: { color: 'inherit' }, root: { color: 'var(--pult-danger)' } }}
    >
      {message}
    </Alert>
  );
}
