import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LanguageSwitch } from '../../../shared/preferences/LanguageSwitch.tsx';
import { ThemeSwitch } from '../../../shared/preferences/ThemeSwitch.tsx';
import { Section } from '../../../shared/ui/Section.tsx';

export function AppearanceSection() {
  const { t } = useTranslation('security');
  return (
    <Section title={t('appearance.title')} description={t('appearance.hint')}>
      <Stack gap="sm" maw={420}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('appearance.language')}
          </Text>
          <LanguageSwitch />
        </Group>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('appearance.theme')}
          </Text>
          <ThemeSwitch />
        </Group>
      </Stack>
    </Section>
  );
}
