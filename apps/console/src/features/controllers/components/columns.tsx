import type { Controller } from '@pult/contract';
import {
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import { columnFields } from '../fields.tsx';
import { QuickActions } from './QuickActions.tsx';
import { SelectRow } from './Selection.tsx';

export const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, rowSelectionFeature });

/** Draws a cell by its column. */
export type CellDrawer = ReactTable<typeof features, Controller>['FlexRender'];

const column = createColumnHelper<typeof features, Controller>();

/** A column's id is the API's ordering key, so that sorting needs no translation. */
export const columns = column.columns([
  column.display({
    id: 'select',
    cell: ({ row }) => (
      <SelectRow
        serialNumber={row.original.serialNumber}
        isSelected={row.getIsSelected()}
        onSelect={(isSelected) => row.toggleSelected(isSelected)}
      />
    ),
  }),
  ...columnFields.map(({ name, column: { Cell, isNewestFirst = false } }) =>
    column.accessor((controller) => controller, {
      id: name,
      sortDescFirst: isNewestFirst,
      cell: ({ row }) => <Cell controller={row.original} />,
    }),
  ),
  column.display({ id: 'actions', cell: ({ row }) => <QuickActions controller={row.original} /> }),
]);

const fieldsById = new Map<string, (typeof columnFields)[number]>(
  columnFields.map((field) => [field.name, field]),
);

export function findField(columnId: string): (typeof columnFields)[number] | undefined {
  return fieldsById.get(columnId);
}

/** What the style of the table needs to know of the cells of a column. */
export function cellAttributes(columnId: string) {
  const field = findField(columnId);
  return {
    'data-column': columnId,
    'data-leaves-at': field?.column.leavesAt,
    'data-muted': (field && !field.column.isStrong) || undefined,
  };
}
