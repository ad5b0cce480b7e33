import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { limits } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import type { AttemptFailure } from '../attempt-failure.ts';
import { PasswordField } from '../PasswordField.tsx';
import type { Credentials } from '../queries.ts';

interface Props {
  email: string | undefined;
  submitLabel: string;
  isPending: boolean;
  failure: AttemptFailure | undefined;
  secondsLeft: number;
  /** What a refusal is told as. */
  wrong: string;
  onSubmit: (credentials: Credentials) => void;
  /** What the page is for. */
  heading: ReactNode;
  /** Other ways, below the button. */
  children: ReactNode;
}

/** Email and password of an account. */
export function CredentialsForm({
  email,
  submitLabel,
  isPending,
  failure,
  secondsLeft,
  wrong,
  onSubmit,
  heading,
  children,
}: Props) {
  const { t } = useTranslation('accounts');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: email ?? '', password: '' },
    validate: {
      username: (value) => (value.trim() ? null : t('login.emailRequired')),
      password: (value) => (value ? null : t('login.passwordRequired')),
    },
  });
  return (
    <Form onSubmit={form.onSubmit(onSubmit)}>
      <Stack gap="md">
        {heading}
        <AttemptError failure={failure} secondsLeft={secondsLeft} wrong={wrong} />
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
          {submitLabel}
        </Button>
        {children}
      </Stack>
    </Form>
  );
}
