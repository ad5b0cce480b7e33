import type { Group } from '@pult/contract';
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useDragScroll } from '../drag/use-drag-scroll.ts';
import type { TreeDrag } from '../drag/use-tree-drag.ts';
import { readKey } from '../move-focus.ts';
import { listRows, type TopChoice } from '../tree.ts';
import { rowOffset, showRow, useTreeWindow } from '../use-tree-window.ts';
import classes from './group-tree.module.css';
import { TreeItem } from './TreeItem.tsx';

interface Props {
  label: string;
  groups: readonly Group[];
  /** Choices that are no groups, above them. */
  top: readonly TopChoice[];
  expanded: ReadonlySet<string>;
  onToggle: (id: string, isExpanded: boolean) => void;
  chosen: readonly string[];
  onChoose: (id: string) => void;
  showsCounts?: boolean;
  /** At the end of a group's row. `isActive`: the keyboard is on it, and Tab goes on to these. */
  renderActions?: (group: Group, isActive: boolean) => ReactNode;
  /** Absent where nothing is dragged. */
  drag?: TreeDrag;
}

/**
 * A tree that is one stop of the keyboard: the focus stays on the tree, which names its active row. So only the rows
 * in view are drawn, and thousands of groups cost no more than a screenful.
 */
export function GroupTree(props: Props) {
  const {
    label,
    groups,
    top,
    expanded,
    onToggle,
    chosen,
    onChoose,
    showsCounts = false,
    renderActions,
    drag,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const idPrefix = useId();
  const rows = useMemo(() => listRows(groups, expanded, top), [groups, expanded, top]);
  const [activeId, setActiveId] = useState(chosen[0]);
  const found = rows.findIndex(({ id }) => id === activeId);
  // A row that is gone gives way to the chosen one, or to the first.
  const active =
    found >= 0
      ? found
      : Math.max(
          0,
          rows.findIndex(({ id }) => chosen.includes(id)),
        );
  const draggedGroup = drag?.dragged?.kind === 'group' ? drag.dragged.group : undefined;
  // A drag ends where it began: neither may its row go.
  const draggedIndex = draggedGroup ? rows.findIndex(({ id }) => id === draggedGroup.id) : -1;
  const { indexes, height } = useTreeWindow(rows.length, [active, draggedIndex], scroller);
  useDragScroll(scroller, drag?.dragged !== undefined);
  const elementId = (id: string) => `${idPrefix}${id}`;

  // A choice that came otherwise than by a press on its row, such as by the address, is brought in sight: once.
  const chosenId = chosen[0];
  const chosenIndex = rows.findIndex(({ id }) => id === chosenId);
  const shownId = useRef<string>(undefined);
  useEffect(() => {
    if (chosenIndex < 0 || shownId.current === chosenId) return;
    shownId.current = chosenId;
    showRow(scroller.current, chosenIndex);
  }, [chosenId, chosenIndex]);

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    // Of a button in a row, or of its menu.
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return;
    const effect = readKey(event.key, rows, active);
    if (!effect) return;
    event.preventDefault();
    if (effect.kind === 'toggle') onToggle(effect.id, effect.isExpanded);
    else if (effect.kind === 'choose') onChoose(effect.id);
    else {
      setActiveId(rows[effect.index]?.id);
      showRow(scroller.current, effect.index);
    }
  };

  const findRow = ({ target }: { target: EventTarget }) => {
    const element = target instanceof Element ? target.closest('[role=treeitem]') : null;
    const row = rows.find(({ id }) => elementId(id) === element?.id);
    return row && element ? { row, element } : undefined;
  };

  const handleClick = (event: MouseEvent<HTMLDivElement>) => {
    if (!(event.target instanceof Element) || event.target.closest('button')) return;
    const row = findRow(event)?.row;
    if (!row) return;
    setActiveId(row.id);
    const isToggle = event.target.closest('[data-toggle]') !== null && row.isExpanded !== undefined;
    if (isToggle) onToggle(row.id, !row.isExpanded);
    else onChoose(row.id);
  };

  const handleDragOver = (event: DragEvent) => {
    const found = findRow(event);
    if (!found) return drag?.hover(undefined);
    const { top, right } = found.element.getBoundingClientRect();
    drag?.hover({ row: found.row, top, right });
  };
  const handleDragLeave = ({ relatedTarget, currentTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) drag?.hover(undefined);
  };

  const activeRow = rows[active];
  return (
    <div
      ref={scroller}
      className={classes.tree}
      role="tree"
      data-dragging={drag?.dragged !== undefined || undefined}
      data-actions={renderActions !== undefined || undefined}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={activeRow && elementId(activeRow.id)}
      onKeyDown={handleKey}
      onClick={handleClick}
      {...(drag ? { onDragOver: handleDragOver, onDragLeave: handleDragLeave } : {})}
    >
      <div role="presentation" className={classes.rows} style={{ height }}>
        {indexes.map((index) => {
          const row = rows[index];
          if (!row) return null;
          const isActive = index === active;
          return (
            <TreeItem
              key={row.id}
              id={elementId(row.id)}
              row={row}
              isActive={isActive}
              isChosen={chosen.includes(row.id)}
              showsCount={showsCounts}
              offset={height === undefined ? undefined : rowOffset(index)}
              drag={drag}
            >
              {row.group && renderActions?.(row.group, isActive)}
            </TreeItem>
          );
        })}
      </div>
    </div>
  );
}
