import { ActionIcon, Menu } from '@mantine/core';
import IconFilter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import type { FilterSearch } from '../list-search.ts';

/** 10 MB, 100 MB, 1 GB and 10 GB a month, as the console writes bytes: a question on a line that is paid for by the megabyte. */
const sizes = [10 * 1024 ** 2, 100 * 1024 ** 2, 1024 ** 3, 10 * 1024 ** 3];

interface Props {
  search: Pick<FilterSearch, 'monthTraffic'>;
  onChange: (changes: Partial<FilterSearch>) => void;
}

/** Filters that are seldom needed; one that is set stands beside the others. */
export function FilterMenu({ search, onChange }: Props) {
  const { t } = useTranslation('controllers');
  const { formatBytes } = useFormat();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('list.filters')} title={t('list.filters')}>
          <IconFilter size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={260}>
        <Menu.Label>{t('field.monthTraffic')}</Menu.Label>
        <Menu.RadioGroup
          value={String(search.monthTraffic)}
          onChange={(bytes) => onChange({ monthTraffic: Number(bytes) })}
        >
          <Menu.RadioItem value="0">{t('list.anySize')}</Menu.RadioItem>
          {sizes.map((bytes) => (
            <Menu.RadioItem key={bytes} value={String(bytes)}>
              {t('list.sizeFrom', { size: formatBytes(bytes) })}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
