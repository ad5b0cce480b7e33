import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { hasCode } from '../attempt-failure.ts';
import { CodeStep } from '../components/CodeStep.tsx';
import { CredentialsStep } from '../components/CredentialsStep.tsx';
import type { SecondFactor } from '../components/SecondFactorForm.tsx';
import { type Credentials, useLogin } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';

interface Props {
  /** Where to go afterwards; on this origin. */
  destination: string;
  email: string | undefined;
}

export function LoginPage({ destination, email }: Props) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const login = useLogin();
  const attempt = useAttempt(login);
  /** Right ones that want a code besides; kept in memory only, until the login or the way back. */
  const [confirmed, setConfirmed] = useState<Credentials>();
  const [typedEmail, setTypedEmail] = useState(email);
  useDocumentTitle(t('login.title'));

  const attemptLogin = (credentials: Credentials, factor?: SecondFactor) => {
    setTypedEmail(credentials.username);
    login.mutate(
      { ...credentials, ...(factor && ('code' in factor ? { totpCode: factor.code } : factor)) },
      {
        onSuccess: () => {
          if (isAuthorized()) void router.navigate({ href: destination, replace: true });
        },
        onError: (error) => {
          if (hasCode(error, 'totp_required')) setConfirmed(credentials);
          // The password has changed meanwhile.
          else if (hasCode(error, 'invalid_credentials')) setConfirmed(undefined);
        },
      },
    );
  };

  if (!confirmed) {
    return (
      <CredentialsStep
        email={typedEmail}
        isPending={login.isPending}
        {...attempt}
        onSubmit={(credentials) => attemptLogin(credentials)}
      />
    );
  }
  return (
    <CodeStep
      email={confirmed.username.trim().toLowerCase()}
      isPending={login.isPending}
      // That a code is wanted is no failure.
      failure={hasCode(login.error, 'totp_required') ? undefined : attempt.failure}
      secondsLeft={attempt.secondsLeft}
      onSubmit={(factor) => attemptLogin(confirmed, factor)}
      onBack={() => {
        setConfirmed(undefined);
        login.reset();
      }}
    />
  );
}
