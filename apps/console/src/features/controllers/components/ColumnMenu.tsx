import { Button, Menu } from '@mantine/core';
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
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {t('list.columns')}
        </Button>
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
