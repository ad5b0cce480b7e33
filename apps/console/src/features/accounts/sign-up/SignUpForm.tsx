import { Button, Stack, TextInput } from '@mantine/core';
import { limits } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import { NewPasswordField } from '../NewPasswordField.tsx';
import { checkPassword, isFit } from '../password-rules.ts';
import { type Credentials, useSignUp } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';

interface Props {
  /** Of the invite, which decides the email. */
  inviteToken?: string;
  email: string;
  /** While what follows the sign-up is under way. */
  isPending: boolean;
  onSignedUp: (account: Credentials) => void;
  /** A refusal that blames no field. */
  onRefused?: (error: unknown) => void;
}

export function SignUpForm({ inviteToken, email: given, isPending, onSignedUp, onRefused }: Props) {
  const { t } = useTranslation(['signUp', 'accounts']);
  const signUp = useSignUp();
  const { failure, secondsLeft } = useAttempt(signUp);
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();
  const isInvited = inviteToken !== undefined;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (signUp.isPending || isPending || secondsLeft > 0) return;
    const missing = {
      ...(email.trim() ? {} : { userEmail: t('login.emailRequired', { ns: 'accounts' }) }),
      ...(isFit(checkPassword(password, email))
        ? {}
        : { userPassword: t('password.unfit', { ns: 'accounts' }) }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    signUp.mutate(
      { email, password, inviteToken },
      {
        onSuccess: (account) => onSignedUp({ username: account.email, password }),
        onError: async (error) => {
          await read(error);
          onRefused?.(error);
        },
      },
    );
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <AttemptError failure={failure} secondsLeft={secondsLeft} />
        <TextInput
          label={t('login.email', { ns: 'accounts' })}
          value={email}
          error={errors.userEmail ?? errors.organizationInviteToken}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            clear('userEmail');
          }}
          readOnly={isInvited}
          // The password alone is left to be typed.
          tabIndex={isInvited ? -1 : 0}
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailLength}
          autoFocus={!given}
        />
        <NewPasswordField
          label={t('login.password', { ns: 'accounts' })}
          value={password}
          email={email}
          error={errors.userPassword}
          onChange={(value) => {
            setPassword(value);
            clear('userPassword');
          }}
          autoFocus={Boolean(given)}
        />
        <Button type="submit" fullWidth loading={signUp.isPending || isPending} disabled={secondsLeft > 0}>
          {t('signup.submit')}
        </Button>
      </Stack>
    </Form>
  );
}
