import { Button, Checkbox, Menu } from '@mantine/core';
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
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns size={16} />}>
          {t('list.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {optionalColumns.map((key) => {
          const shown = !hidden.includes(key);
          return (
            <Menu.Item
              key={key}
              role="menuitemcheckbox"
              aria-checked={shown}
              leftSection={<Checkbox.Indicator checked={shown} size="xs" aria-hidden />}
              onClick={() => onToggle(key)}
            >
              {t(columnTexts[key])}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
