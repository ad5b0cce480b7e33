import { ActionIcon, Menu } from '@mantine/core';
import IconColumns from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import { useTranslation } from 'react-i18next';
import type { ColumnKey } from '../list-search.ts';
import { columnTexts, optionalColumns } from './columns.tsx';

interface Props {
  hidden: readonly ColumnKey[];
  onToggle: (column: ColumnKey) => void;
}

/** Which columns the table shows. */
export function ColumnMenu({ hidden, onToggle }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('list.columns')} title={t('list.columns')}>
          <IconColumns size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {optionalColumns.map((key) => (
          <Menu.CheckboxItem key={key} checked={!hidden.includes(key)} onChange={() => onToggle(key)}>
            {t(columnTexts[key])}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
