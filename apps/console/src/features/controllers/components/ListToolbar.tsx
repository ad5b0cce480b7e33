import { ActionIcon } from '@mantine/core';
import type { StatusCounts } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconLayoutSidebarLeftExpand } from '../../../shared/icons/IconLayoutSidebarLeftExpand.ts';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { GroupDrawer } from '../../groups/index.ts';
import { FieldFilter } from '../field-filters.tsx';
import { fields } from '../fields.tsx';
import { type FilterSearch, treeQuery } from '../list-search.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { FilterMenu } from './FilterMenu.tsx';
import classes from './list-toolbar.module.css';
import type { Columns } from './use-columns.ts';

interface Props {
  organizationId: string;
  search: FilterSearch;
  onChange: (changes: Partial<FilterSearch>) => void;
  counts: StatusCounts | undefined;
  /** Undefined where the list has no columns. */
  columns: Columns | undefined;
  /** The groups are not beside the list. */
  hasGroupButton: boolean;
  /** They would have room there. */
  onUnfold?: (() => void) | undefined;
}

/** All that narrows the list. */
export function ListToolbar(props: Props) {
  const { organizationId, search, onChange, counts, columns, hasGroupButton, onUnfold } = props;
  const { t } = useTranslation('controllers');
  return (
    <div className={classes.toolbar}>
      {onUnfold && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('list.unfold')}
          title={t('list.unfold')}
          onClick={onUnfold}
        >
          <IconLayoutSidebarLeftExpand size={16} />
        </ActionIcon>
      )}
      {hasGroupButton && (
        <GroupDrawer filters={treeQuery(organizationId, search)} choice={search} onChoose={onChange} />
      )}
      <SearchField
        label={t('list.search')}
        placeholder={t('list.searchShort')}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      {fields.map((field) => (
        <FieldFilter key={field.name} field={field} search={search} onChange={onChange} counts={counts} />
      ))}
      <div className={classes.end}>
        <FilterMenu search={search} onChange={onChange} counts={counts} />
        {columns && <ColumnMenu {...columns} />}
      </div>
    </div>
  );
}
