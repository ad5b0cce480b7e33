import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Pixels; the table's style holds the same. */
const rowHeight = 36;
/** Up to this many rows all are drawn: the browser's own search finds them, and nothing moves. */
const allDrawn = 100;

/** The rows in view, and the heights that stand for those before and after them. */
export function useRowWindow<Row>(rows: readonly Row[], body: RefObject<HTMLElement | null>) {
  const [top, setTop] = useState(0);
  const isWindowed = rows.length > allDrawn;
  useLayoutEffect(() => {
    if (isWindowed && body.current) setTop(body.current.getBoundingClientRect().top + window.scrollY);
  }, [isWindowed, body]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    enabled: isWindowed,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
  });
  if (!isWindowed) return { visible: rows.map((row, index) => ({ row, index })), before: 0, after: 0 };
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    visible: items.flatMap(({ index }) => {
      const row = rows[index];
      return row === undefined ? [] : [{ row, index }];
    }),
    before: first ? first.start - top : 0,
    after: last ? virtualizer.getTotalSize() - (last.end - top) : rows.length * rowHeight,
  };
}
