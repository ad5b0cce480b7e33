import { Text, Title } from '@mantine/core';
import type { OpenSignIn } from '@pult/contract';
import { useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../shared/api/error-messages.ts';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { loadPart } from '../../shared/page/load-part.ts';
import { readBrand, useDocumentTitle } from '../../shared/page/title.ts';
import { paths } from '../../shared/paths.ts';
import {
  CodeStep,
  type Credentials,
  CredentialsForm,
  GuestNotice,
  hasCode,
  useAttempt,
} from '../accounts/index.ts';
import type { Arrival } from './arrivals.ts';
import { isSignInOver, type SignInProof, useCompleteSignIn } from './queries.ts';
import classes from './sign-in.module.css';

const SignInFailure = lazy(async () => ({
  default: (await loadPart(() => import('./SignInFailure.tsx'))).SignInFailure,
}));

interface Props {
  arrival: Arrival;
  /** The address on this origin that an answer leads to. */
  toDestination: (returnTo: string) => string;
}

/** Where a browser comes back to from its identity provider, while something is left to do. */
export function CompleteSignInPage({ arrival, toDestination }: Props) {
  const { t } = useTranslation('accounts');
  useDocumentTitle(t('login.title'));
  if (arrival.kind === 'open') return <Completion signIn={arrival.signIn} toDestination={toDestination} />;
  return (
    <Failed>
      {arrival.kind === 'refused' ? (
        arrival.reasons.join(' ')
      ) : (
        <Suspense fallback={null}>
          <SignInFailure code={arrival.code} />
        </Suspense>
      )}
    </Failed>
  );
}

function Failed({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['signIn', 'accounts']);
  return (
    <GuestNotice
      title={t('failed')}
      action={{ to: paths.login(), label: t('login.back', { ns: 'accounts' }), isPrimary: true }}
    >
      {children}
    </GuestNotice>
  );
}

interface CompletionProps {
  signIn: OpenSignIn;
  toDestination: Props['toDestination'];
}

/** The proof of the account that the provider’s login is linked to, once; or its second factor alone. */
function Completion({ signIn: { provider, email, needs }, toDestination }: CompletionProps) {
  const { t } = useTranslation(['signIn', 'accounts']);
  const router = useRouter();
  const complete = useCompleteSignIn();
  const attempt = useAttempt(complete);
  const reason = useErrorMessage(complete.error);
  /** Right ones that want a code besides; kept in memory only, until the end or the way back. */
  const [confirmed, setConfirmed] = useState<Credentials>();
  const [typedEmail, setTypedEmail] = useState(email ?? undefined);
  const names = { name: provider.name, brand: readBrand() };

  const prove = (proof: SignInProof) =>
    complete.mutate(proof, {
      onSuccess: ({ returnTo }) => {
        if (isAuthorized()) void router.navigate({ href: toDestination(returnTo), replace: true });
      },
      onError: (error) => {
        if (hasCode(error, 'totp_required')) setConfirmed(proof.account);
        // The password has changed meanwhile.
        else if (hasCode(error, 'invalid_credentials')) setConfirmed(undefined);
      },
    });
  const back = () => {
    setConfirmed(undefined);
    complete.reset();
    if (needs === 'second_factor') void router.navigate({ href: paths.login() });
  };

  if (isSignInOver(complete.error)) return <Failed>{reason}</Failed>;
  if (needs === 'second_factor' || confirmed) {
    return (
      <CodeStep
        email={confirmed?.username.trim().toLowerCase() ?? t('code.account')}
        isPending={complete.isPending}
        // That a code is wanted is no failure.
        failure={hasCode(complete.error, 'totp_required') ? undefined : attempt.failure}
        secondsLeft={attempt.secondsLeft}
        onSubmit={(factor) => prove({ account: confirmed, factor })}
        onBack={back}
      />
    );
  }
  return (
    <CredentialsForm
      email={typedEmail}
      isPending={complete.isPending}
      {...attempt}
      wrong={t('login.wrong', { ns: 'accounts' })}
      submitLabel={t('link.submit')}
      onSubmit={(account) => {
        setTypedEmail(account.username);
        prove({ account });
      }}
      heading={
        <>
          <Title order={1} className={classes.lead ?? ''}>
            {t('link.title', names)}
          </Title>
          <Text size="sm" className={classes.lead ?? ''}>
            {t('link.text', names)}
          </Text>
        </>
      }
    >
      {null}
    </CredentialsForm>
  );
}
