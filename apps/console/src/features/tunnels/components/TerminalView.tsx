import { ActionIcon, Group, Menu, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconAdjustmentsHorizontal } from '../../../shared/icons/IconAdjustmentsHorizontal.ts';
import { IconKeyboard } from '../../../shared/icons/IconKeyboard.ts';
import { IconTextDecrease } from '../../../shared/icons/IconTextDecrease.ts';
import { IconTextIncrease } from '../../../shared/icons/IconTextIncrease.ts';
import { fontSizes, scrollbacks } from '../terminal/terminal-preferences.ts';
import classes from './terminal.module.css';

export interface ViewSettings {
  fontSize: number;
  onFontSize: (size: number) => void;
  scrollback: number;
  onScrollback: (lines: number) => void;
}

/** Text size, how far back the output goes, and which keys there are. */
export function TerminalView({ view, onShortcuts }: { view: ViewSettings; onShortcuts: () => void }) {
  const { t } = useTranslation('tunnels');
  const { formatNumber } = useFormat();
  const { fontSize, onFontSize } = view;
  const sizes = [
    { label: t('terminal.fontSmaller'), size: fontSize - 1, Icon: IconTextDecrease },
    { label: t('terminal.fontLarger'), size: fontSize + 1, Icon: IconTextIncrease },
  ];
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('terminal.settings')}>
          <IconAdjustmentsHorizontal size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Group justify="space-between" className={classes.setting ?? ''}>
          <Text size="sm">{t('terminal.fontSize')}</Text>
          <Group gap={4}>
            {sizes.map(({ label, size, Icon }, place) => (
              <Group key={label} gap={4}>
                {place === 1 && (
                  <Text size="sm" w={24} ta="center">
                    {fontSize}
                  </Text>
                )}
                <ActionIcon
                  variant="default"
                  aria-label={label}
                  disabled={size < fontSizes.min || size > fontSizes.max}
                  onClick={() => onFontSize(size)}
                >
                  <Icon size={16} />
                </ActionIcon>
              </Group>
            ))}
          </Group>
        </Group>
        <Stack gap={6} className={classes.setting ?? ''}>
          <Text size="sm">{t('terminal.scrollback')}</Text>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t('terminal.scrollback')}
            value={String(view.scrollback)}
            onChange={(value) => view.onScrollback(Number(value))}
            data={scrollbacks.map((lines) => ({ value: String(lines), label: formatNumber(lines) }))}
          />
        </Stack>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={16} />} closeMenuOnClick onClick={onShortcuts}>
          {t('terminal.shortcuts')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
