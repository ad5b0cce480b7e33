import { Anchor, Button, Group, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isAuthorized } from '../../../shared/auth/authorization.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { LoginError } from '../components/LoginError.tsx';
import { readLoginFailure } from '../login-failure.ts';
import { useLogin } from '../queries.ts';
import { useSecondsUntil } from '../use-seconds-until.ts';

interface Props {
  /** Where to go afterwards; on this origin. */
  destination: string;
  email: string | undefined;
}

export function LoginPage({ destination, email }: Props) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const login = useLogin();
  const failure = login.error ? readLoginFailure(login.error, login.submittedAt) : undefined;
  const secondsLeft = useSecondsUntil(failure?.kind === 'throttled' ? failure.until : undefined);
  useDocumentTitle(t('login.title'));
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: email ?? '', password: '' },
    validate: {
      username: (value) => (value.trim() ? null : t('login.emailRequired')),
      password: (value) => (value ? null : t('login.passwordRequired')),
    },
  });
  const submit = form.onSubmit((values) => {
    login.mutate(values, {
      onSuccess: () => {
        if (isAuthorized()) void router.navigate({ href: destination, replace: true });
      },
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Title order={1}>{t('login.title')}</Title>
        <LoginError failure={failure} secondsLeft={secondsLeft} />
        <TextInput
          {...form.getInputProps('username')}
          key={form.key('username')}
          label={t('login.email')}
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={!email}
        />
        <PasswordInput
          {...form.getInputProps('password')}
          key={form.key('password')}
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          autoFocus={Boolean(email)}
        />
        <Button type="submit" fullWidth mt={4} loading={login.isPending} disabled={secondsLeft > 0}>
          {t('login.submit')}
        </Button>
        <Group justify="center">
          <Anchor component={Link} to={paths.passwordReset()} size="sm">
            {t('login.forgotPassword')}
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
}
