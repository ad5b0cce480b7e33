import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import type { ReactNode } from 'react';
import { useFormat } from '../../../shared/i18n/use-format.ts';
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
  /** Its actions. */
  children: ReactNode;
}

/** Deeper levels are not indented further: the name needs the room. */
const indentedLevels = 8;

export function TreeItem({ id, row, isActive, isChosen, showsCount, offset, children }: Props) {
  const { formatNumber } = useFormat();
  const { name, group, level, position, siblings, isExpanded, count } = row;
  const indent = 14 * Math.min(level - 1, indentedLevels);
  return (
    <div
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
