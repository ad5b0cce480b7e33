import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function ThemeSwitch() {
  const { t } = useTranslation('shared');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('theme.label')}
      value={colorScheme}
      onChange={setColorScheme}
      data={(['light', 'dark', 'auto'] as const).map((value) => ({ value, label: t(`theme.${value}`) }))}
    />
  );
}
