import { Button, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isConfirmationNeeded } from '../../../shared/api/confirmation.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { AttemptError } from '../AttemptError.tsx';
import classes from '../accounts.module.css';
import { NewPasswordField } from '../NewPasswordField.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { checkPassword, isFit } from '../password-rules.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';
import { useChangePassword } from './queries.ts';

interface Props {
  email: string;
}

export function PasswordSection({ email }: Props) {
  const { t } = useTranslation(['security', 'accounts']);
  const change = useChangePassword();
  const { failure, secondsLeft } = useAttempt(change);
  const [oldPassword, setOldPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (change.isPending || secondsLeft > 0) return;
    const missing = {
      ...(oldPassword ? {} : { oldPassword: t('password.oldRequired') }),
      ...(isFit(checkPassword(newPassword, email))
        ? {}
        : { newPassword: t('password.unfit', { ns: 'accounts' }) }),
    };
    setErrors(missing);
    if (Object.keys(missing).length > 0) return;
    const onSuccess = () => {
      change.reset(); // it holds both passwords
      setOldPassword('');
      setNewPassword('');
      showToast({ severity: 'success', summary: t('password.done') });
    };
    change.mutate({ oldPassword, newPassword }, { onSuccess, onError: read });
  };
  return (
    <Section id="password" title={t('password.title')} description={t('password.hint')}>
      <Form onSubmit={submit} className={classes.form}>
        <Stack gap="md">
          {/* Tells a password manager whose password it is. */}
          <input type="text" autoComplete="username" value={email} readOnly hidden />
          <AttemptError
            // One who closes the dialog has changed their mind, and knows it.
            failure={isConfirmationNeeded(change.error) ? undefined : failure}
            secondsLeft={secondsLeft}
          />
          <PasswordField
            label={t('password.old')}
            value={oldPassword}
            error={errors.oldPassword}
            onChange={(event) => {
              setOldPassword(event.currentTarget.value);
              clear('oldPassword');
            }}
            autoComplete="current-password"
          />
          <NewPasswordField
            label={t('password.new')}
            value={newPassword}
            email={email}
            error={errors.newPassword}
            onChange={(value) => {
              setNewPassword(value);
              clear('newPassword');
            }}
          />
          <div>
            <Button type="submit" variant="default" loading={change.isPending} disabled={secondsLeft > 0}>
              {t('password.submit')}
            </Button>
          </div>
        </Stack>
      </Form>
    </Section>
  );
}
