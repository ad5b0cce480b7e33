import type { Controller } from '@pult/contract';
import type { Row } from '@tanstack/react-table';
import { type MouseEvent, memo, useRef } from 'react';
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
  onOpen: (controller: Controller, isInNewTab: boolean) => void;
}

/** Of these a click means something else than the row. */
const pressable = 'a, button, input, label, [aria-disabled]';

/** Drawn anew only for what is its own: of thousands of rows, scrolling draws those that come. */
export const ControllerRow = memo(function ControllerRow({
  row,
  index,
  isSelected,
  Cell,
  getDragged,
  onOpen,
}: Props) {
  const element = useRef<HTMLTableRowElement>(null);
  useDragSource(element, getDragged && (() => getDragged(row.original)));
  const open = ({ currentTarget, target, button, ctrlKey, metaKey }: MouseEvent<HTMLElement>) => {
    // A tooltip of the row lies elsewhere in the document.
    const isOfRow = target instanceof Element && currentTarget.contains(target) && !target.closest(pressable);
    // Somebody marks a text to copy it.
    const isMarking = window.getSelection()?.isCollapsed === false;
    if (isOfRow && !isMarking) onOpen(row.original, button === 1 || ctrlKey || metaKey);
  };
  return (
    <tr
      ref={element}
      aria-rowindex={index + 2}
      data-selected={isSelected || undefined}
      onClick={open}
      onAuxClick={(event) => event.button === 1 && open(event)}
    >
      {row.getVisibleCells().map((cell) => (
        <td key={cell.id} {...cellAttributes(cell.column.id)}>
          <Cell cell={cell} />
        </td>
      ))}
    </tr>
  );
});
