import { Pill } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../../shared/ui/SearchField.tsx';
import { GroupDrawer } from '../../groups/index.ts';
import { type ColumnKey, type ListSearch, treeQuery } from '../list-search.ts';
import { ColumnMenu } from './ColumnMenu.tsx';
import classes from './list-toolbar.module.css';
import { type StatusCounts, StatusFilter } from './StatusFilter.tsx';

interface Props {
  organizationId: string;
  search: ListSearch;
  onChange: (changes: Partial<ListSearch>) => void;
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
      <StatusFilter value={search.status} onChange={(status) => onChange({ status })} counts={counts} />
      {search.firmware !== '' && (
        <Filter label={t('list.anyFirmware')} onRemove={() => onChange({ firmware: '' })}>
          {search.firmware === null
            ? t('list.firmwareUnknown')
            : t('list.firmware', { version: search.firmware })}
        </Filter>
      )}
      {search.unlocated && (
        <Filter label={t('list.anyPlace')} onRemove={() => onChange({ unlocated: false })}>
          {t('list.unlocated')}
        </Filter>
      )}
      {columns && (
        <div className={classes.end}>
          <ColumnMenu hidden={columns.hidden} onToggle={columns.toggle} />
        </div>
      )}
    </div>
  );
}

/** A filter that has no field here: it came with a link. */
function Filter({ label, onRemove, children }: { label: string; onRemove: () => void; children: ReactNode }) {
  return (
    <Pill
      size="lg"
      className={classes.pill ?? ''}
      withRemoveButton
      removeButtonProps={{ 'aria-label': label, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  );
}
