import { Button } from '@mantine/core';
import type { Controller } from '@pult/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { loadPart } from '../../../shared/page/load-part.ts';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ListFooter } from '../../../shared/ui/ListFooter.tsx';
import { QueryState } from '../../../shared/ui/QueryState.tsx';
import type { BulkMoves } from '../../groups/index.ts';
import type { ColumnKey } from '../fields.tsx';
import { type ListSearch, listSearch, pageSizes } from '../list-search.ts';
import { type ControllerSelection, getDragged } from '../use-selection.ts';
import { ControllerCards } from './ControllerCards.tsx';
import { ControllersTable } from './ControllersTable.tsx';
import { NoControllers } from './NoControllers.tsx';

// With its dialogs: nobody needs it who only looks.
const SelectionBar = lazy(async () => ({
  default: (await loadPart(() => import('./SelectionBar.tsx'))).SelectionBar,
}));

interface Props {
  organizationId: string;
  list: UseQueryResult<{ count: number; results: Controller[] }>;
  search: ListSearch;
  onChange: (changes: Partial<ListSearch>) => void;
  /** Those that somebody has hidden; undefined: what fits is shown. */
  columns: readonly ColumnKey[] | undefined;
  /** Pixels; 0 while it is not known. */
  width: number;
  isNarrow: boolean;
  selection: ControllerSelection;
  moves: BulkMoves;
  /** The groups are beside the list, so that rows can be dragged to them. */
  isDraggable: boolean;
}

/** The controllers that match: a table, or cards where it has no room; or why there are none. */
export function ControllersList(props: Props) {
  const { organizationId, list, search, onChange, columns, width, isNarrow, selection, moves } = props;
  const { isDraggable } = props;
  const { t } = useTranslation('controllers');
  const { formatNumber } = useFormat();
  const { data, isPlaceholderData } = list;
  if (!data) return <QueryState query={list} failure={t('list.loadFailed')} rows={12} />;
  const { count, results: controllers } = data;
  if (count === 0 && !listSearch.isFiltered(search)) return <NoControllers />;
  if (count === 0) {
    const isGroupAlone = !listSearch.isFiltered({ ...search, groupIds: [] });
    return (
      <EmptyState
        title={t(isGroupAlone ? 'emptyGroup.title' : 'noMatch.title')}
        action={
          <Button variant="default" onClick={() => onChange(listSearch.reset)}>
            {t(isGroupAlone ? 'emptyGroup.all' : 'noMatch.clear')}
          </Button>
        }
      >
        {t(isGroupAlone ? 'emptyGroup.text' : 'noMatch.text')}
      </EmptyState>
    );
  }
  if (controllers.length === 0) {
    return (
      <EmptyState
        title={t('pastEnd.title')}
        action={
          <Button variant="default" onClick={() => onChange({ page: 1 })}>
            {t('pastEnd.back')}
          </Button>
        }
      >
        {t('pastEnd.text', { formatted: formatNumber(count) })}
      </EmptyState>
    );
  }
  const rows = {
    controllers,
    isStale: isPlaceholderData,
    selected: selection.rows,
    onSelect: selection.select,
  };
  return (
    <>
      {isNarrow ? (
        <ControllerCards {...rows} />
      ) : (
        <ControllersTable
          {...rows}
          chosen={columns}
          width={width}
          order={search.ordering}
          onOrder={(ordering) => onChange({ ordering })}
          getDragged={
            isDraggable ? (controller) => getDragged(controller, selection, controllers) : undefined
          }
        />
      )}
      <ListFooter search={search} total={count} onChange={onChange} pageSizes={pageSizes} />
      {/* While controllers are being moved, their progress stands there. */}
      {selection.count > 0 && !moves.running && (
        <Suspense>
          <SelectionBar
            organizationId={organizationId}
            selection={selection}
            selected={controllers.filter(({ serialNumber }) => selection.rows.includes(serialNumber))}
            moves={moves}
            total={count}
            shown={controllers.length}
            onSelectAll={
              isNarrow
                ? (isSelected) =>
                    selection.select(isSelected ? controllers.map(({ serialNumber }) => serialNumber) : [])
                : undefined
            }
          />
        </Suspense>
      )}
    </>
  );
}
