import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { limits } from '@pult/contract/values';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../../shared/api/queries.ts';
import { usePultCommand } from '../../../shared/api/use-pult-command.ts';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { AttemptError } from '../AttemptError.tsx';
import { CheckMail } from '../CheckMail.tsx';
import { useRequestPasswordReset } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFormErrors } from '../use-form-errors.ts';

/** Answers alike whether or not there is such an account. */
export function PasswordResetPage() {
  const { t } = useTranslation('accounts');
  const { t: tReset } = useTranslation('passwordReset');
  const { data: environments } = useQuery(environmentsQuery);
  const pult = usePultCommand();
  const isMailed = environments?.MAIL_ENABLED !== false;
  const request = useRequestPasswordReset();
  const { failure, secondsLeft } = useAttempt(request);
  const [email, setEmail] = useState('');
  const { errors, setErrors, clear, read } = useFormErrors();
  useDocumentTitle(tReset('title'));

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (request.isPending || secondsLeft > 0) return;
    if (!email.trim()) return setErrors({ email: t('login.emailRequired') });
    request.mutate(email, { onError: read });
  };
  if (request.isSuccess) {
    const account = email.trim().toLowerCase();
    return (
      <CheckMail
        text={tReset('sentText', { email: account })}
        withoutMail={
          <>
            <Text size="sm">{tReset('setByAdministrator')}</Text>
            <CopyText form="block" text={`${pult} user set-password ${account}`} />
          </>
        }
        onAnotherEmail={request.reset}
      />
    );
  }
  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        <Title order={1}>{tReset('title')}</Title>
        <Text size="sm">{tReset(isMailed ? 'text' : 'textNoMail')}</Text>
        <AttemptError failure={failure} secondsLeft={secondsLeft} />
        <TextInput
          label={t('login.email')}
          value={email}
          error={errors.email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            clear('email');
          }}
          type="email"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailLength}
          autoFocus
        />
        <Button type="submit" fullWidth loading={request.isPending} disabled={secondsLeft > 0}>
          {tReset(isMailed ? 'submit' : 'make')}
        </Button>
        <Anchor component={Link} to={paths.login()} size="sm" ta="center">
          {t('login.back')}
        </Anchor>
      </Stack>
    </Form>
  );
}
