import type { Controller } from '@pult/contract';
import { Link } from '@tanstack/react-router';
import {
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import { paths } from '../../../shared/paths.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import type { ColumnKey } from '../list-search.ts';
import { LastSeen } from './LastSeen.tsx';
import { QuickActions } from './QuickActions.tsx';
import { SelectRow } from './SelectRow.tsx';
import { StatusLabel } from './StatusLabel.tsx';

export const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, rowSelectionFeature });

/** The names of the columns in the catalogue. */
export const columnTexts = {
  status: 'column.status',
  serial_number: 'column.serialNumber',
  description: 'column.description',
  group_name: 'column.group',
  firmware_version: 'column.firmware',
  last_seen_at: 'column.lastSeen',
} as const satisfies Record<ColumnKey, string>;

/** Those that may be hidden: a row without status and serial number says nothing. */
export const optionalColumns: readonly ColumnKey[] = [
  'description',
  'group_name',
  'firmware_version',
  'last_seen_at',
];

/** A column's id is the API's ordering key, so that sorting needs no translation. */
/** Draws a cell by its column. */
export type CellDrawer = ReactTable<typeof features, Controller>['FlexRender'];

const column = createColumnHelper<typeof features, Controller>();

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
  column.accessor('status', {
    id: 'status',
    cell: ({ row }) => <StatusLabel status={row.original.status} />,
  }),
  column.accessor('serialNumber', {
    id: 'serial_number',
    cell: ({ row: { original } }) => (
      // The row is what is dragged.
      <Link
        to={paths.controller(original.organization.id, original.serialNumber)}
        title={original.serialNumber}
        draggable={false}
      >
        <Mono>{original.serialNumber}</Mono>
      </Link>
    ),
  }),
  column.accessor('description', { id: 'description', cell: ({ getValue }) => <Plain text={getValue()} /> }),
  column.accessor(({ group }) => group?.name ?? '', {
    id: 'group_name',
    cell: ({ getValue }) => <Plain text={getValue()} />,
  }),
  column.accessor('firmwareVersion', {
    id: 'firmware_version',
    cell: ({ getValue }) => <Mono>{getValue() || '—'}</Mono>,
  }),
  column.accessor('lastSeenAt', {
    id: 'last_seen_at',
    sortDescFirst: true,
    cell: ({ row }) => <LastSeen controller={row.original} />,
  }),
  column.display({ id: 'actions', cell: ({ row }) => <QuickActions controller={row.original} /> }),
]);

/** A text of a person or a device: one line, whole on hover. */
function Plain({ text }: { text: string }) {
  return <span title={text || undefined}>{text ? <bdi>{text}</bdi> : '—'}</span>;
}
