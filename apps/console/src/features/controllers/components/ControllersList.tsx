import { Button } from '@mantine/core';
import type { Controller } from '@pult/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ErrorState } from '../../../shared/ui/ErrorState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { SkeletonRows } from '../../../shared/ui/SkeletonRows.tsx';
import { type ColumnKey, isFiltered, type ListSearch, listQuery, noFilters } from '../list-search.ts';
import { useSelection } from '../use-selection.ts';
import { ControllerCards } from './ControllerCards.tsx';
import { ControllersTable } from './ControllersTable.tsx';
import { NoControllers } from './NoControllers.tsx';
import { SelectionBar } from './SelectionBar.tsx';

interface Props {
  organizationId: string;
  list: UseQueryResult<{ count: number; results: Controller[] }>;
  search: ListSearch;
  onChange: (changes: Partial<ListSearch>) => void;
  hidden: readonly ColumnKey[];
  isNarrow: boolean;
}

/** The controllers that match: a table, or cards where it has no room; or why there are none. */
export function ControllersList({ organizationId, list, search, onChange, hidden, isNarrow }: Props) {
  const { t } = useTranslation('controllers');
  const { data, error, refetch, isPlaceholderData } = list;
  const controllers = data?.results ?? [];
  const { selected, select } = useSelection(
    JSON.stringify(listQuery(organizationId, search)),
    controllers.map(({ serialNumber }) => serialNumber),
  );
  if (error && !data) {
    return <ErrorState title={t('list.loadFailed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <SkeletonRows rows={12} />;
  if (data.count === 0 && !isFiltered(search)) return <NoControllers />;
  if (data.count === 0) {
    return (
      <EmptyState
        title={t('noMatch.title')}
        action={
          <Button variant="default" onClick={() => onChange(noFilters)}>
            {t('noMatch.clear')}
          </Button>
        }
      >
        {t('noMatch.text')}
      </EmptyState>
    );
  }
  const rows = { controllers, isStale: isPlaceholderData };
  return (
    <>
      {isNarrow ? (
        <ControllerCards {...rows} />
      ) : (
        <ControllersTable
          {...rows}
          hidden={hidden}
          order={search.order}
          onOrder={(order) => onChange({ order })}
          selected={selected}
          onSelect={select}
        />
      )}
      <ListFooter search={search} total={data.count} onChange={onChange} />
      {!isNarrow && selected.length > 0 && (
        <SelectionBar organizationId={organizationId} serialNumbers={selected} onClear={() => select([])} />
      )}
    </>
  );
}
