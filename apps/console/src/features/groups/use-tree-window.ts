import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Pixels; the tree's style holds the same. */
const rowHeight = 36;
/** Up to this many rows all are drawn: the browser's own search finds them. */
const allDrawn = 100;

/** The rows to draw of a tree that scrolls by itself. Those of `kept` are always drawn, as the focus or a drag is on them. */
export function useTreeWindow(
  count: number,
  kept: readonly number[],
  scroller: RefObject<HTMLElement | null>,
) {
  const isWindowed = count > allDrawn;
  const virtualizer = useVirtualizer({
    count,
    enabled: isWindowed,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...kept])]
        .filter((index) => index >= 0)
        .sort((first, second) => first - second),
  });
  if (!isWindowed) return { indexes: Array.from({ length: count }, (_, index) => index), height: undefined };
  return { indexes: virtualizer.getVirtualItems().map(({ index }) => index), height: count * rowHeight };
}

export function rowOffset(index: number): number {
  return index * rowHeight;
}

/** Scrolls just as far as it takes to see the row. */
export function showRow(scroller: HTMLElement | null, index: number): void {
  if (!scroller) return;
  const top = rowOffset(index);
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  const bottom = top + rowHeight - scroller.clientHeight;
  if (bottom > scroller.scrollTop) scroller.scrollTop = bottom;
}
