import { type ReactNode, useRef } from 'react';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconChevronRight } from '../../../shared/icons/IconChevronRight.ts';
import { useDragSource } from '../drag/use-drag-source.ts';
import { useDropTarget } from '../drag/use-drop-target.ts';
import type { TreeDrag } from '../drag/use-tree-drag.ts';
import type { TreeRow } from '../tree.ts';
import classes from './group-tree.module.css';

interface Props {
  id: string;
  row: TreeRow;
  isActive: boolean;
  isChosen: boolean;
  showsCount: boolean;
  /** Pixels from the top, where not all rows are drawn. */
  offset: number | undefined;
  /** Absent where nothing is dragged. */
  drag: TreeDrag | undefined;
  /** Its actions. */
  children: ReactNode;
}

/** Deeper levels are hardly indented further: the name needs the room. */
const widelyIndented = 4;

export function TreeItem({ id, row, isActive, isChosen, showsCount, offset, drag, children }: Props) {
  const { formatNumber } = useFormat();
  const { name, group, level, position, siblings, isExpanded, count } = row;
  const element = useRef<HTMLDivElement>(null);
  useDragSource(element, drag && group ? () => ({ kind: 'group', group }) : undefined);
  useDropTarget(element, row, drag);
  const isOver = drag?.over?.row.id === row.id;
  const wide = Math.min(level - 1, widelyIndented);
  const indent = 14 * wide + 2 * (level - 1 - wide);
  return (
    <div
      ref={element}
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-label={showsCount && count !== undefined ? `${name}, ${formatNumber(count)}` : name}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isExpanded}
      aria-selected={isChosen}
      className={classes.row}
      data-active={isActive || undefined}
      data-top={group === undefined || undefined}
      data-dragged={(drag?.dragged?.kind === 'group' && drag.dragged.group.id === row.id) || undefined}
      data-drop={isOver ? (drag.refusal === undefined ? 'yes' : 'no') : undefined}
      style={{
        paddingInlineStart: 4 + indent,
        ...(offset === undefined ? {} : { position: 'absolute', insetInline: 0, top: offset }),
      }}
    >
      <span className={classes.toggle} data-toggle={isExpanded !== undefined || undefined} aria-hidden>
        {isExpanded !== undefined && <IconChevronRight size={14} data-expanded={isExpanded || undefined} />}
      </span>
      <span className={classes.name} title={name}>
        <bdi>{name}</bdi>
      </span>
      {showsCount && <span className={classes.count}>{count === undefined ? '' : formatNumber(count)}</span>}
      {children}
    </div>
  );
}
