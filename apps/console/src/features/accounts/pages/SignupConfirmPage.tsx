import { Button, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { AttemptError } from '../components/AttemptError.tsx';
import { GuestNotice } from '../components/GuestNotice.tsx';
import { useConfirmSignUp } from '../queries.ts';
import { useAttempt } from '../use-attempt.ts';

interface Props {
  /** Of the mailed link; none when the page was opened without it. */
  token: string | undefined;
}

/** The link is used up by a press, not by opening the page: mail scanners open links, too. */
export function SignupConfirmPage({ token }: Props) {
  const { t } = useTranslation('accounts');
  const confirm = useConfirmSignUp();
  const { failure, secondsLeft } = useAttempt(confirm);
  useDocumentTitle(t('signupConfirm.title'));
  if (confirm.data) {
    const { email } = confirm.data;
    return (
      <GuestNotice
        title={t('signupConfirm.done')}
        action={{ to: paths.login({ email }), label: t('login.submit'), isPrimary: true }}
      >
        {t('signupConfirm.doneText', { email })}
      </GuestNotice>
    );
  }
  if (token === undefined || (confirm.error instanceof ApiError && confirm.error.status === 400)) {
    return (
      <GuestNotice
        title={t('signupConfirm.expiredTitle')}
        action={{ to: paths.login(), label: t('login.back') }}
        alternative={{ to: paths.signup(), label: t('signupConfirm.again') }}
      >
        {t('signupConfirm.expiredText')}
      </GuestNotice>
    );
  }
  return (
    <Stack gap="md">
      <Title order={1}>{t('signupConfirm.title')}</Title>
      <Text size="sm">{t('signupConfirm.text')}</Text>
      <AttemptError failure={failure} secondsLeft={secondsLeft} />
      <Button
        autoFocus
        loading={confirm.isPending}
        disabled={secondsLeft > 0}
        onClick={() => confirm.mutate(token)}
      >
        {t('signupConfirm.submit')}
      </Button>
    </Stack>
  );
}
