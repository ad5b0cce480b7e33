import { Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function Opening() {
  const { t } = useTranslation('tunnels');
  return (
    <Group gap="sm" role="status">
      <Loader size="xs" />
      <Text size="sm">{t('connect.opening')}</Text>
    </Group>
  );
}
