import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { environmentsQuery } from '../../shared/api/queries.ts';
import { usePultCommand } from '../../shared/api/use-pult-command.ts';
import { CopyText } from '../../shared/ui/CopyText.tsx';
import classes from './accounts.module.css';

interface Props {
  /** What was sent where. */
  text: string;
  /** What else an administrator can do where no mail leaves. */
  withoutMail?: ReactNode;
  onAnotherEmail: () => void;
}

/** After a mail is on its way; or would be, if there were such an account, or a mail server. */
export function CheckMail({ text, withoutMail, onAnotherEmail }: Props) {
  const { t } = useTranslation('signUp');
  const { data: environments } = useQuery(environmentsQuery);
  const pult = usePultCommand();
  return (
    <Stack gap="md" role="status">
      {environments?.MAIL_ENABLED === false ? (
        <>
          <Title order={1}>{t('signup.askAdministrator')}</Title>
          <Text size="sm">{t('signup.mailOff')}</Text>
          <CopyText form="block" text={`${pult} mail list`} />
          {withoutMail}
        </>
      ) : (
        <>
          <Title order={1}>{t('signup.checkMail')}</Title>
          <Text size="sm" className={classes.lead}>
            {text}
          </Text>
          <Text size="sm" c="dimmed">
            {t('signup.noMail')}
          </Text>
        </>
      )}
      <Button variant="default" onClick={onAnotherEmail}>
        {t('signup.anotherEmail')}
      </Button>
    </Stack>
  );
}
