import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './accounts.module.css';

interface Props {
  /** What was sent where. */
  text: string;
  onAnotherEmail: () => void;
}

/** After a mail is on its way; or would be, if there were such an account. */
export function CheckMail({ text, onAnotherEmail }: Props) {
  const { t } = useTranslation('accounts');
  return (
    <Stack gap="md" role="status">
      <Title order={1}>{t('signup.checkMail')}</Title>
      <Text size="sm" className={classes.lead}>
        {text}
      </Text>
      <Text size="sm" c="dimmed">
        {t('signup.noMail')}
      </Text>
      <Button variant="default" onClick={onAnotherEmail}>
        {t('signup.anotherEmail')}
      </Button>
    </Stack>
  );
}
