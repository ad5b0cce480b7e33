import { ActionIcon, Menu } from '@mantine/core';
import IconColumns from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import { useTranslation } from 'react-i18next';
import { type ColumnKey, optionalColumns } from '../fields.tsx';

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
      <Menu.Dropdown maw={260}>
        <Menu.Label>{t('list.columnsHint')}</Menu.Label>
        {optionalColumns.map(({ name, label }) => (
          <Menu.CheckboxItem key={name} checked={!hidden.includes(name)} onChange={() => onToggle(name)}>
            {t(label)}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
