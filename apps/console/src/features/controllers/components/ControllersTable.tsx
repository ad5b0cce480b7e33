import { UnstyledButton } from '@mantine/core';
import type { Controller } from '@pult/contract';
import { useNavigate } from '@tanstack/react-router';
import { functionalUpdate, type RowSelectionState, type SortingState, useTable } from '@tanstack/react-table';
import { useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconArrowDown } from '../../../shared/icons/IconArrowDown.ts';
import { IconArrowUp } from '../../../shared/icons/IconArrowUp.ts';
import { paths } from '../../../shared/paths.ts';
import type { Dragged } from '../../groups/index.ts';
import { type ColumnKey, columnFields } from '../fields.tsx';
import type { ListSearch } from '../list-search.ts';
import { ControllerRow } from './ControllerRow.tsx';
import { cellAttributes, columns, features, findField } from './columns.tsx';
import classes from './controllers-table.module.css';
import { SelectAll } from './Selection.tsx';
import { useRowWindow } from './use-row-window.ts';

/** Pixels; the table's style holds the same. */
const rowHeight = 36;

interface Props {
  controllers: readonly Controller[];
  order: ListSearch['ordering'];
  onOrder: (order: ListSearch['ordering']) => void;
  /** The columns that somebody has hidden; undefined: what fits is shown. */
  chosen: readonly ColumnKey[] | undefined;
  /** Pixels; 0 while it is not known. */
  width: number;
  /** The rows are those of the last view, until the new ones arrive. */
  isStale: boolean;
  /** Serial numbers, of these rows. */
  selected: readonly string[];
  onSelect: (serialNumbers: readonly string[]) => void;
  /** What a drag of this row takes along. Absent where there are no groups to be dragged to. */
  getDragged?: ((controller: Controller) => Dragged) | undefined;
}

const none: readonly ColumnKey[] = [];

/** Pixels, of the columns that have no width of their own, and of the boxes and buttons at the ends. */
const [flexibleWidth, ends] = [180, 36 + 80];

/** What the columns that were chosen take, so that none of them is squeezed. */
function measureColumns(hidden: readonly ColumnKey[]): number {
  const shown = columnFields.filter(({ name }) => !hidden.includes(name));
  const widths = shown.map(({ column: { width = '' } }) =>
    width.endsWith('px') ? Number.parseInt(width, 10) : flexibleWidth,
  );
  return widths.reduce((sum, width) => sum + width, ends);
}

export function ControllersTable(props: Props) {
  const { controllers, order, onOrder, chosen, width, isStale, selected, onSelect, getDragged } = props;
  const hidden = chosen ?? none;
  const minWidth = chosen && measureColumns(chosen);
  const { t } = useTranslation('controllers');
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  const open = useCallback(
    ({ organization, serialNumber }: Controller, isInNewTab: boolean) => {
      const path = paths.controller(organization.id, serialNumber);
      if (isInNewTab) window.open(path, '_blank', 'noopener');
      else void navigate({ to: path });
    },
    [navigate],
  );
  const sorting = useMemo<SortingState>(() => [{ id: order.key, desc: order.descending }], [order]);
  const columnVisibility = useMemo(() => Object.fromEntries(hidden.map((key) => [key, false])), [hidden]);
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries(selected.map((serialNumber) => [serialNumber, true])),
    [selected],
  );
  const table = useTable({
    features,
    columns,
    data: controllers as Controller[], // the table only reads its rows
    getRowId: ({ serialNumber }) => serialNumber,
    state: { sorting, columnVisibility, rowSelection },
    onRowSelectionChange: (updater) => {
      onSelect(Object.keys(functionalUpdate(updater, rowSelection)));
    },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    onSortingChange: (updater) => {
      const [first] = functionalUpdate(updater, sorting);
      const field = first && findField(first.id);
      if (field) onOrder({ key: field.name, descending: first.desc });
    },
  });
  const { rows } = table.getRowModel();
  const { visible, before, after } = useRowWindow(rows, body, { rowHeight });

  return (
    // Only where there is no room: a head that sticks to the window needs that nothing scrolls between them.
    <div className={classes.container} data-scrolls={(minWidth ?? 0) > width && width > 0 ? true : undefined}>
      <table
        className={classes.table}
        style={{ minWidth }}
        data-fits={chosen === undefined || undefined}
        aria-label={t('list.table')}
        aria-rowcount={rows.length + 1}
        data-stale={isStale}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) =>
                id === 'select' ? (
                  <th key={id} scope="col" data-column="select">
                    <SelectAll
                      selected={selected.length}
                      shown={rows.length}
                      onSelectAll={(isSelected) => table.toggleAllRowsSelected(isSelected)}
                    />
                  </th>
                ) : (
                  <ColumnHeader
                    key={id}
                    id={id}
                    sorted={column.getIsSorted()}
                    onSort={column.getCanSort() ? () => column.toggleSorting() : undefined}
                  />
                ),
              )}
            </tr>
          ))}
        </thead>
        <tbody ref={body}>
          <Spacer height={before} />
          {visible.map(({ row, index }) => (
            <ControllerRow
              key={row.id}
              row={row}
              index={index}
              isSelected={row.getIsSelected()}
              hidden={hidden}
              Cell={table.FlexRender}
              getDragged={getDragged}
              onOpen={open}
            />
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows outside the view. One cell: to span columns that have no room would make room for them. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden className={classes.spacer}>
      <td style={{ height }} />
    </tr>
  );
}

interface HeaderProps {
  id: string;
  sorted: false | 'asc' | 'desc';
  onSort: (() => void) | undefined;
}

function ColumnHeader({ id, sorted, onSort }: HeaderProps) {
  const { t } = useTranslation('controllers');
  const field = findField(id);
  const text = field ? t(field.label) : t('list.actions');
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      {...cellAttributes(id)}
      style={{ width: field?.column.width }}
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {onSort ? (
        <UnstyledButton className={classes.sort} data-sorted={sorted || undefined} onClick={onSort}>
          {text}
          <Arrow size={14} className={classes.arrow} aria-hidden />
        </UnstyledButton>
      ) : (
        text
      )}
    </th>
  );
}
