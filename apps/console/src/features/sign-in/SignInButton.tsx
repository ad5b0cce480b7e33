import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SignInError } from './SignInError.tsx';
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
