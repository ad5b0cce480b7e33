import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentUserQuery } from '../../../shared/api/queries.ts';
import { LanguageSwitch } from '../../../shared/preferences/LanguageSwitch.tsx';
import { ThemeSwitch } from '../../../shared/preferences/ThemeSwitch.tsx';
import { Page } from '../../../shared/ui/Page.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { RolesList } from '../components/RolesList.tsx';

export function SecurityPage() {
  const { t } = useTranslation('accounts');
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Page title={t('security.title')} width="narrow">
      <Section title={t('security.account')}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('security.email')}
          </Text>
          <Text size="sm">{user?.email}</Text>
        </Group>
      </Section>
      <Section title={t('security.roles')}>
        <RolesList />
      </Section>
      <Section title={t('security.appearance')} description={t('security.thisBrowser')}>
        <Group justify="space-between" gap="xs" mb="sm">
          <Text size="sm" c="dimmed">
            {t('security.language')}
          </Text>
          <LanguageSwitch />
        </Group>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('security.theme')}
          </Text>
          <ThemeSwitch />
        </Group>
      </Section>
    </Page>
  );
}
