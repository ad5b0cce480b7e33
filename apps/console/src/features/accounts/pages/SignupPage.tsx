import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';

/** The API has no sign-up yet: accounts are made by the administrator, and the page says so. */
export function SignupPage() {
  const { t } = useTranslation('accounts');
  useDocumentTitle(t('signup.title'));
  return (
    <Stack gap="md">
      <Title order={1}>{t('signup.title')}</Title>
      <Text size="sm">{t('signup.text')}</Text>
      <Button component={Link} to={paths.login()} variant="default">
        {t('signup.toLogin')}
      </Button>
    </Stack>
  );
}
