import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Up to this many rows all are drawn: the browser's own search finds them, and nothing moves. */
const allDrawn = 100;

interface Options {
  /** Pixels of a row; the list's style holds the same, or about the same where rows are measured. */
  rowHeight: number;
  /** Rows are as high as their texts need: each drawn one is measured by `measure`. */
  isMeasured?: boolean;
}

/** The rows in view of a list that scrolls with its page, and the heights that stand for those before and after them. */
export function useRowWindow<Row>(
  rows: readonly Row[],
  list: RefObject<HTMLElement | null>,
  { rowHeight, isMeasured = false }: Options,
) {
  const [top, setTop] = useState(0);
  const isWindowed = rows.length > allDrawn;
  // With other rows there may be another filter above them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    if (isWindowed && list.current) setTop(list.current.getBoundingClientRect().top + window.scrollY);
  }, [isWindowed, list, rows]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    enabled: isWindowed,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
  });
  if (!isWindowed) {
    const visible = rows.map((row, index) => ({ row, index }));
    return { visible, before: 0, after: 0, measure: undefined };
  }
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
    /** The `ref` of a row, which names its place in `data-index`. */
    measure: isMeasured ? virtualizer.measureElement : undefined,
  };
}
