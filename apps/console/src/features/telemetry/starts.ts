import type { Series } from '../../shared/charts/series.ts';

/** Clocks of devices are set while they run. */
const clockMs = 60_000;

export interface Starts {
  /** When the system started last, in milliseconds. */
  last: number;
  /** Within the period. Starts that follow each other in neighbouring parts of it are one: the server averages over each part. */
  count: number;
}

/** When a system started, by its uptimes in seconds; undefined where none is known. */
export function findStarts({ times, values: [uptimes = []] }: Series): Starts | undefined {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  // A part that is measured half looks as much younger at most.
  const half = (steps.toSorted((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0) / 2;
  let last: number | undefined;
  let before: number | undefined;
  let count = 0;
  let hasJustStarted = false;
  times.forEach((time, index) => {
    const uptime = uptimes[index];
    if (uptime === null || uptime === undefined) return;
    const start = time - uptime * 1000;
    const isLater = before !== undefined && start - before > half + clockMs;
    if (isLater && !hasJustStarted) count += 1;
    hasJustStarted = isLater;
    last = isLater || last === undefined ? start : Math.min(last, start);
    before = start;
  });
  return last === undefined ? undefined : { last: last + half, count };
}
