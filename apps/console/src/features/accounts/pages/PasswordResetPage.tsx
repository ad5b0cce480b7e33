import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';
import { CopyText } from '../../../shared/ui/CopyText.tsx';

/** The API sends no reset mails yet: the page tells the way that works. */
export function PasswordResetPage() {
  const { t } = useTranslation('accounts');
  useDocumentTitle(t('passwordReset.title'));
  return (
    <Stack gap="md">
      <Title order={1}>{t('passwordReset.title')}</Title>
      <Text size="sm">{t('passwordReset.text')}</Text>
      <Text size="sm" c="dimmed">
        {t('passwordReset.adminHint')}
      </Text>
      <CopyText form="block" text="npm run pult -- user set-password" />
      <Button component={Link} to={paths.login()} variant="default">
        {t('signup.toLogin')}
      </Button>
    </Stack>
  );
}
