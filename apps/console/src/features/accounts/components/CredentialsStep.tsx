import { Anchor, Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits, type PasskeyProof } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { paths } from '../../../shared/paths.ts';
import type { AttemptFailure } from '../attempt-failure.ts';
import { PasskeyOffer } from '../passkeys/PasskeyOffer.tsx';
import type { Credentials } from '../queries.ts';
import { AttemptError } from './AttemptError.tsx';
import { PasswordField } from './PasswordField.tsx';

interface Props {
  email: string | undefined;
  isPending: boolean;
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  onSubmit: (credentials: Credentials) => void;
  onPasskey: (passkey: PasskeyProof) => void;
  /** What was refused is a passkey. */
  isByPasskey: boolean;
}

/** The first step of a login: email and password. */
export function CredentialsStep({
  email,
  isPending,
  failure,
  secondsLeft,
  onSubmit,
  onPasskey,
  isByPasskey,
}: Props) {
  const { t } = useTranslation('accounts');
  const { data: environments } = useQuery(environmentsQuery);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: email ?? '', password: '' },
    validate: {
      username: (value) => (value.trim() ? null : t('login.emailRequired')),
      password: (value) => (value ? null : t('login.passwordRequired')),
    },
  });
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack gap="md">
        <Title order={1}>{t('login.title')}</Title>
        <AttemptError
          failure={failure}
          secondsLeft={secondsLeft}
          wrong={t(isByPasskey ? 'passkey.wrong' : 'login.wrong')}
        />
        <TextInput
          {...form.getInputProps('username')}
          key={form.key('username')}
          label={t('login.email')}
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailLength}
          autoFocus={!email}
        />
        <PasswordField
          {...form.getInputProps('password')}
          key={form.key('password')}
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          autoFocus={Boolean(email)}
        />
        <Button type="submit" fullWidth mt={4} loading={isPending} disabled={secondsLeft > 0}>
          {t('login.submit')}
        </Button>
        <PasskeyOffer use="login" disabled={isPending || secondsLeft > 0} onProof={onPasskey} />
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
      </Stack>
    </form>
  );
}
