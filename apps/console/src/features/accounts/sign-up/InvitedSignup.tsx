import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import classes from '../accounts.module.css';
import { hasCode } from '../attempt-failure.ts';
import { type Credentials, useLogin } from '../queries.ts';
import { InvalidInvite } from './InvalidInvite.tsx';
import type { InviteCheck } from './invite.ts';
import { SignUpForm } from './SignUpForm.tsx';

interface Props {
  invite: Extract<InviteCheck, { kind: 'valid' }>;
}

/** Signs the invited one up and logs them in at once, with what they have just typed. */
export function InvitedSignup({ invite: { token, email, organization } }: Props) {
  const { t } = useTranslation('signUp');
  const router = useRouter();
  const login = useLogin();
  const [isInvalid, setIsInvalid] = useState(false);

  const logIn = async (account: Credentials) => {
    try {
      await login.mutateAsync(account);
      if (isAuthorized()) return await router.navigate({ href: paths.root(), replace: true });
    } catch {
      // The account is there: the login page takes it from here.
    }
    showToast({ severity: 'success', summary: t('signup.created'), details: t('signup.createdDetails') });
    await router.navigate({ href: paths.login({ email }), replace: true });
  };
  if (isInvalid) return <InvalidInvite />;
  return (
    <Stack gap="md">
      <Title order={1} className={classes.lead}>
        {t('signup.invitedTo', { organization })}
      </Title>
      <Text size="sm">{t('signup.invitedText')}</Text>
      <SignUpForm
        inviteToken={token}
        email={email}
        isPending={login.isPending}
        onSignedUp={(account) => void logIn(account)}
        onRefused={(error) => {
          if (hasCode(error, 'invite_invalid')) setIsInvalid(true);
        }}
      />
      <Anchor
        component={Link}
        to={paths.login({ redirect: paths.invite({ token }), email })}
        size="sm"
        ta="center"
      >
        {t('signup.haveAccount')}
      </Anchor>
    </Stack>
  );
}
