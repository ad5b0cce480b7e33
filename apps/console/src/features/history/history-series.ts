import type { ControllerHistory } from '@pult/contract';
import type { Series } from '../../shared/charts/series.ts';

type Points = ControllerHistory['series'][number]['points'];

/** Later than this a number that was told is not what it is: devices tell of all that changes. */
const longestGapMs = 30 * 60_000;
/** From this resolution on, in seconds, a point is a part of time in which a switch was on and off. */
const coarse = 600;

/** Whether a switch is shown by how long it was on, as single changes are too many or too short for the period. */
export function isShare(resolution: number): boolean {
  return resolution >= coarse;
}

/** The mean with the highest and the lowest value of each part. */
export function toBand(points: Points, resolution: number): Series {
  return {
    times: points.map(({ timestamp }) => Date.parse(timestamp)),
    values: [points.map(({ mean }) => mean), points.map(({ max }) => max), points.map(({ min }) => min)],
    longestGapMs: Math.max(longestGapMs, 2500 * resolution),
  };
}

/** A switch or a mode at each of its changes, and at the end what it still is. */
export function toSteps(points: Points, stop: number): Series {
  const times = points.map(({ timestamp }) => Date.parse(timestamp));
  const values = points.map(({ last }) => last);
  const [lastTime, last] = [times.at(-1), values.at(-1)];
  if (last !== undefined && lastTime !== undefined && lastTime < stop) {
    times.push(stop);
    values.push(last);
  }
  return { times, values: [values], longestGapMs: Number.POSITIVE_INFINITY };
}

/** Which part of the time a switch was on, in percent. */
export function toShare(points: Points, resolution: number): Series {
  return {
    times: points.map(({ timestamp }) => Date.parse(timestamp)),
    values: [points.map(({ mean }) => 100 * mean)],
    longestGapMs: Math.max(longestGapMs, 2500 * resolution),
  };
}
