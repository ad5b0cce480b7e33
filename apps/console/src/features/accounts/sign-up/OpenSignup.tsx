import { Anchor, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/paths.ts';
import { CheckMail } from '../CheckMail.tsx';
import { SignUpForm } from './SignUpForm.tsx';

interface Props {
  email: string | undefined;
}

/** Anybody may sign up; the account works after the link that is mailed to it. */
export function OpenSignup({ email = '' }: Props) {
  const { t } = useTranslation('signUp');
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) {
    return (
      <CheckMail
        text={t('signup.checkMailText', { email: sentTo })}
        onAnotherEmail={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Stack gap="md">
      <Title order={1}>{t('signup.title')}</Title>
      <SignUpForm email={email} isPending={false} onSignedUp={({ username }) => setSentTo(username)} />
      <Anchor component={Link} to={paths.login()} size="sm" ta="center">
        {t('signup.haveAccount')}
      </Anchor>
    </Stack>
  );
}
