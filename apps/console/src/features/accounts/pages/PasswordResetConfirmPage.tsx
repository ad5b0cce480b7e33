import { Button, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '../../../shared/page/title.ts';
import { paths } from '../../../shared/paths.ts';

/** No server of this version sends such links, so whichever link leads here has expired. */
export function PasswordResetConfirmPage() {
  const { t } = useTranslation('accounts');
  useDocumentTitle(t('passwordReset.title'));
  return (
    <Stack gap="md">
      <Title order={1}>{t('passwordReset.expiredTitle')}</Title>
      <Text size="sm">{t('passwordReset.expiredText')}</Text>
      <Button component={Link} to={paths.passwordReset()}>
        {t('passwordReset.requestAgain')}
      </Button>
    </Stack>
  );
}
