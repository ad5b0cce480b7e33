import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconColumns3 as IconColumns } from '../../../shared/icons/IconColumns3.ts';
import { optionalColumns } from '../fields.tsx';
import type { Columns } from './use-columns.ts';

/** Which columns the table shows: those with a tick, and no others. */
export function ColumnMenu({ hidden, chosen, toggle, reset }: Columns) {
  const { t } = useTranslation('controllers');
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('list.columns')} title={t('list.columns')}>
          <IconColumns size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={260}>
        <Menu.Label>{t(chosen ? 'list.columnsChosen' : 'list.columnsHint')}</Menu.Label>
        {optionalColumns.map(({ name, label }) => (
          <Menu.CheckboxItem key={name} checked={!hidden.includes(name)} onChange={() => toggle(name)}>
            {t(label)}
          </Menu.CheckboxItem>
        ))}
        {chosen && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={reset}>{t('list.columnsFit')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
