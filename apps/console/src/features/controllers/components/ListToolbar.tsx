import type { StatusCounts } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { GroupDrawer } from '../../groups/index.ts';
import { type ColumnKey, fields } from '../fields.tsx';
import { type FilterSearch, treeQuery } from '../list-search.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import { FilterMenu } from './FilterMenu.tsx';
import classes from './list-toolbar.module.css';

interface Props {
  organizationId: string;
  search: FilterSearch;
  onChange: (changes: Partial<FilterSearch>) => void;
  counts: StatusCounts | undefined;
  /** Undefined where the list has no columns. */
  columns: { hidden: readonly ColumnKey[]; toggle: (key: ColumnKey) => void } | undefined;
  /** The groups are not beside the list. */
  hasGroupButton: boolean;
}

/** All that narrows the list. */
export function ListToolbar({ organizationId, search, onChange, counts, columns, hasGroupButton }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <div className={classes.toolbar}>
      {hasGroupButton && (
        <GroupDrawer filters={treeQuery(organizationId, search)} choice={search} onChoose={onChange} />
      )}
      <SearchField
        label={t('list.search')}
        placeholder={t('list.searchShort')}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      {fields.map((field) =>
        'Filter' in field ? (
          <field.Filter key={field.name} search={search} onChange={onChange} counts={counts} />
        ) : null,
      )}
      <div className={classes.end}>
        <FilterMenu search={search} onChange={onChange} counts={counts} />
        {columns && <ColumnMenu hidden={columns.hidden} onToggle={columns.toggle} />}
      </div>
    </div>
  );
}
