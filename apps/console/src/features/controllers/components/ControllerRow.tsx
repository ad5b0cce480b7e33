import type { Controller } from '@pult/contract';
import type { Row } from '@tanstack/react-table';
import { memo, useRef } from 'react';
import { type Dragged, useDragSource } from '../../groups/index.ts';
import { type CellDrawer, cellAttributes, type features } from './columns.tsx';

interface Props {
  row: Row<typeof features, Controller>;
  index: number;
  isSelected: boolean;
  /** Names the columns that are hidden: with others the row is drawn anew. */
  hidden: readonly string[];
  Cell: CellDrawer;
  /** Absent where there are no groups to be dragged to. */
  getDragged: ((controller: Controller) => Dragged) | undefined;
}

/** Drawn anew only for what is its own: of thousands of rows, scrolling draws those that come. */
export const ControllerRow = memo(function ControllerRow({
  row,
  index,
  isSelected,
  Cell,
  getDragged,
}: Props) {
  const element = useRef<HTMLTableRowElement>(null);
  useDragSource(element, getDragged && (() => getDragged(row.original)));
  return (
    <tr ref={element} aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {row.getVisibleCells().map((cell) => (
        <td key={cell.id} {...cellAttributes(cell.column.id)}>
          <Cell cell={cell} />
        </td>
      ))}
    </tr>
  );
});
