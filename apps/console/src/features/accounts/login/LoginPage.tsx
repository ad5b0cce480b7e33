import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { hasCode } from '../attempt-failure.ts';
import { type Credentials, useLogin, useLoginByPasskey } from '../queries.ts';
import type { SecondFactor } from '../totp/SecondFactorForm.tsx';
import { useAttempt } from '../use-attempt.ts';
import { CredentialsStep } from './CredentialsStep.tsx';

/** Asked for with the password, and not before: most logins end without it. */
const loadCodeStep = () => import('./CodeStep.tsx');
const CodeStep = lazy(async () => ({ default: (await loadPart(loadCodeStep)).CodeStep }));

interface Props {
  /** Where to go afterwards; on this origin. */
  destination: string;
  email: string | undefined;
}

export function LoginPage({ destination, email }: Props) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const login = useLogin();
  const passkeyLogin = useLoginByPasskey();
  const [isByPasskey, setIsByPasskey] = useState(false);
  const attempt = useAttempt(isByPasskey ? passkeyLogin : login);
  /** Right ones that want a code besides; kept in memory only, until the login or the way back. */
  const [confirmed, setConfirmed] = useState<Credentials>();
  const [typedEmail, setTypedEmail] = useState(email);
  useDocumentTitle(t('login.title'));

  const onSuccess = () => {
    if (isAuthorized()) void router.navigate({ href: destination, replace: true });
  };
  const attemptLogin = (credentials: Credentials, factor?: SecondFactor) => {
    setTypedEmail(credentials.username);
    void loadCodeStep().catch(() => {});
    setIsByPasskey(false);
    login.mutate(
      { ...credentials, ...(factor && ('code' in factor ? { totpCode: factor.code } : factor)) },
      {
        onSuccess,
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
        destination={destination}
        isPending={login.isPending || passkeyLogin.isPending}
        {...attempt}
        isByPasskey={isByPasskey}
        onSubmit={(credentials) => attemptLogin(credentials)}
        onPasskey={(passkey) => {
          setIsByPasskey(true);
          passkeyLogin.mutate(passkey, { onSuccess });
        }}
      />
    );
  }
  return (
    <Suspense fallback={null}>
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
    </Suspense>
  );
}
