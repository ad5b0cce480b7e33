import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconFilter } from '../../../shared/icons/IconFilter.ts';
import { FieldChoice, type FilterProps } from '../field-filters.tsx';
import { fields } from '../fields.tsx';
import classes from './list-toolbar.module.css';

/** Filters that are seldom needed; one that is set stands beside the others. */
export function FilterMenu(props: FilterProps) {
  const { t } = useTranslation('controllers');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('list.filters')} title={t('list.filters')}>
          <IconFilter size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={260} className={classes.filters ?? ''}>
        {fields.map((field) => (
          <FieldChoice key={field.name} field={field} {...props} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
