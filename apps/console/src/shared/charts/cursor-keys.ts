import type { KeyboardEvent } from 'react';
import type uPlot from 'uplot';

/** `setCursor` tells the other charts of the group too, which its published type leaves out. */
type SharedCursor = (position: { left: number; top: number }, fireHook: boolean, tellOthers: boolean) => void;

function findKnown(chart: uPlot, from: number, step: 1 | -1): number | undefined {
  const [times, ...lines] = chart.data;
  for (let index = from; index >= 0 && index < times.length; index += step) {
    if (lines.some((line) => typeof line[index] === 'number')) return index;
  }
  return undefined;
}

const keys: ReadonlySet<string> = new Set(['ArrowRight', 'ArrowLeft', 'Home', 'End']);

function findTarget(chart: uPlot, key: string, at: number | undefined, last: number): number | undefined {
  if (key === 'Home') return findKnown(chart, 0, 1);
  if (key === 'End') return findKnown(chart, last, -1);
  if (key === 'ArrowRight') return findKnown(chart, at === undefined ? 0 : at + 1, 1);
  return findKnown(chart, at === undefined ? last : at - 1, -1);
}

/** Arrows, Home and End lead from point to point, Escape away; false for any other key. */
export function moveCursor(chart: uPlot, event: KeyboardEvent): boolean {
  const last = chart.data[0].length - 1;
  const at = chart.cursor.idx ?? undefined;
  // As the type says above.
  const setCursor = chart.setCursor as unknown as SharedCursor;
  if (event.key === 'Escape' && at !== undefined) {
    setCursor({ left: -10, top: -10 }, true, true);
    return true;
  }
  if (!keys.has(event.key)) return false;
  const index = findTarget(chart, event.key, at, last);
  const time = index === undefined ? undefined : chart.data[0][index];
  // The first part of a period may begin a little before it: off the chart would be away from it.
  if (time !== undefined) setCursor({ left: Math.max(0, chart.valToPos(time, 'x')), top: 8 }, true, true);
  return true;
}
