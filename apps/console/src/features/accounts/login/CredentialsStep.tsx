import { Anchor, Group, Title } from '@mantine/core';
import type { PasskeyProof } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import { SignInOffer } from '../../sign-in/index.ts';
import type { AttemptFailure } from '../attempt-failure.ts';
import { PasskeyOffer } from '../passkeys/PasskeyOffer.tsx';
import type { Credentials } from '../queries.ts';
import { CredentialsForm } from './CredentialsForm.tsx';

interface Props {
  email: string | undefined;
  /** Where the login leads. */
  destination: string;
  isPending: boolean;
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  onSubmit: (credentials: Credentials) => void;
  onPasskey: (passkey: PasskeyProof) => void;
  /** What was refused is a passkey. */
  isByPasskey: boolean;
}

/** The first step of a login: email and password, or another way. */
export function CredentialsStep({ destination, onPasskey, isByPasskey, ...form }: Props) {
  const { t } = useTranslation('accounts');
  const { data: environments } = useQuery(environmentsQuery);
  return (
    <CredentialsForm
      {...form}
      heading={<Title order={1}>{t('login.title')}</Title>}
      submitLabel={t('login.submit')}
      wrong={t(isByPasskey ? 'passkey.wrong' : 'login.wrong')}
    >
      <PasskeyOffer use="login" disabled={form.isPending || form.secondsLeft > 0} onProof={onPasskey} />
      <SignInOffer returnTo={destination} />
      <Group justify="center" gap="md">
        <Anchor component={Link} to={paths.passwordReset()} size="sm">
          {t('login.forgotPassword')}
        </Anchor>
        {environments?.IS_ON_PREMISE === false && (
          <Anchor component={Link} to={paths.signup()} size="sm">
            {t('login.signUp')}
          </Anchor>
        )}
      </Group>
    </CredentialsForm>
  );
}
