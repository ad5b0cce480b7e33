import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { type RefObject, useEffect, useRef } from 'react';
import type { TreeRow } from '../tree.ts';
import { readDragged } from './dragged.ts';
import type { TreeDrag } from './use-tree-drag.ts';

/** Lets groups and controllers be dropped on a row of the tree. A row that refuses shows the browser's "no" pointer. */
export function useDropTarget(
  element: RefObject<HTMLElement | null>,
  row: TreeRow,
  drag: TreeDrag | undefined,
) {
  const latest = useRef({ row, drag });
  latest.current = { row, drag };
  const isEnabled = drag !== undefined;
  useEffect(() => {
    if (!isEnabled || !element.current) return;
    return dropTargetForElements({
      element: element.current,
      getDropEffect: () => 'move',
      canDrop: ({ source }) => {
        const dragged = readDragged(source.data);
        const now = latest.current;
        return dragged !== undefined && now.drag?.refuse(dragged, now.row) === undefined;
      },
      onDrop: ({ source }) => {
        const dragged = readDragged(source.data);
        const now = latest.current;
        if (dragged) now.drag?.drop(dragged, now.row);
      },
    });
  }, [element, isEnabled]);
}
