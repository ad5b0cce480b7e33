import { Button, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useRouter } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import { GuestNotice } from '../GuestNotice.tsx';
import { NewPasswordField } from '../NewPasswordField.tsx';
import { checkPassword, isFit } from '../password-rules.ts';
import { useConfirmPasswordReset } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';

interface Props {
  uid: string;
  /** Of the mailed link; none when the page was opened without it. */
  token: string | undefined;
}

export function PasswordResetConfirmPage({ uid, token }: Props) {
  const { t } = useTranslation('accounts');
  const { t: tReset } = useTranslation('passwordReset');
  const router = useRouter();
  const confirm = useConfirmPasswordReset();
  const { failure, secondsLeft } = useAttempt(confirm);
  const [password, setPassword] = useState('');
  const [isExpired, setIsExpired] = useState(false);
  const { errors, setErrors, clear, read } = useFormErrors();
  useDocumentTitle(tReset('newTitle'));

  if (token === undefined || isExpired) {
    return (
      <GuestNotice
        title={tReset('expiredTitle')}
        action={{ to: paths.passwordReset(), label: tReset('requestAgain'), isPrimary: true }}
      >
        {tReset('expiredText')}
      </GuestNotice>
    );
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (confirm.isPending || secondsLeft > 0) return;
    if (!isFit(checkPassword(password, undefined))) return setErrors({ newPassword: t('password.unfit') });
    confirm.mutate(
      { uid, token, newPassword: password },
      {
        onSuccess: () => {
          showToast({
            severity: 'success',
            summary: tReset('done'),
            details: tReset('doneDetails'),
          });
          void router.navigate({ href: paths.login(), replace: true });
        },
        onError: async (error) => {
          const { newPassword } = await read(error);
          // A 400 that does not blame the password blames the link.
          const isRefused = error instanceof ApiError && error.status === 400;
          if (isRefused && newPassword === undefined) setIsExpired(true);
        },
      },
    );
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Title order={1}>{tReset('newTitle')}</Title>
        <Text size="sm">{tReset('newText')}</Text>
        <AttemptError failure={failure} secondsLeft={secondsLeft} />
        <NewPasswordField
          label={tReset('newPassword')}
          value={password}
          email={undefined}
          error={errors.newPassword}
          onChange={(value) => {
            setPassword(value);
            clear('newPassword');
          }}
          autoFocus
        />
        <Button type="submit" fullWidth loading={confirm.isPending} disabled={secondsLeft > 0}>
          {tReset('save')}
        </Button>
      </Stack>
    </Form>
  );
}
