import { Button, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import { GuestNotice } from '../GuestNotice.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { useConfirmSignUp } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';

interface Props {
  /** Of the mailed link; none when the page was opened without it. */
  token: string | undefined;
}

/** The link is used up by a press, not by opening the page: mail scanners open links, too. */
export function SignupConfirmPage({ token }: Props) {
  const { t } = useTranslation(['signUp', 'accounts']);
  const confirm = useConfirmSignUp();
  const { failure, secondsLeft } = useAttempt(confirm);
  const [password, setPassword] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();
  useDocumentTitle(t('signupConfirm.title'));
  if (confirm.data) {
    const { email } = confirm.data;
    return (
      <GuestNotice
        title={t('signupConfirm.done')}
        action={{ to: paths.login({ email }), label: t('login.submit', { ns: 'accounts' }), isPrimary: true }}
      >
        {t('signupConfirm.doneText', { email })}
      </GuestNotice>
    );
  }
  // A 400 that does not blame the password blames the link.
  const isRefused = confirm.error instanceof ApiError && confirm.error.code === 'signup_token_invalid';
  if (token === undefined || isRefused) {
    return (
      <GuestNotice
        title={t('signupConfirm.expiredTitle')}
        action={{ to: paths.login(), label: t('login.back', { ns: 'accounts' }) }}
        alternative={{ to: paths.signup(), label: t('signupConfirm.again') }}
      >
        {t('signupConfirm.expiredText')}
      </GuestNotice>
    );
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirm.isPending || secondsLeft > 0) return;
    if (password === '') return setErrors({ password: t('login.passwordRequired', { ns: 'accounts' }) });
    confirm.mutate({ token, password }, { onError: read });
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Title order={1}>{t('signupConfirm.title')}</Title>
        <Text size="sm">{t('signupConfirm.text')}</Text>
        <AttemptError failure={failure} secondsLeft={secondsLeft} />
        <PasswordField
          label={t('login.password', { ns: 'accounts' })}
          autoComplete="current-password"
          autoFocus
          value={password}
          error={errors.password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            clear('password');
          }}
        />
        <Button type="submit" fullWidth loading={confirm.isPending} disabled={secondsLeft > 0}>
          {t('signupConfirm.submit')}
        </Button>
      </Stack>
    </Form>
  );
}
