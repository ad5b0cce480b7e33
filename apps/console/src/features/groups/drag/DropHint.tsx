import { Portal } from '@mantine/core';
import { IconBan } from '../../../shared/icons/IconBan.ts';
import classes from './drag.module.css';
import type { TreeDrag } from './use-tree-drag.ts';

/** Beside the row that something is dragged over: what a drop would do, or why it may not. */
export function DropHint({ drag: { over, hint, refusal } }: { drag: TreeDrag }) {
  if (!over || hint === undefined) return null;
  return (
    <Portal>
      <div
        className={classes.hint}
        role="status"
        data-refused={refusal !== undefined || undefined}
        style={{ top: over.top, left: over.right + 8 }}
      >
        {refusal !== undefined && <IconBan size={16} aria-hidden />}
        <span>{hint}</span>
      </div>
    </Portal>
  );
}
