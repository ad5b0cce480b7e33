import { type Bucket, makeBuckets, type Point } from './buckets.ts';
import { hour } from './resolutions.ts';

/** A switch, a mode or a text, when it became what it is. */
export interface Change {
  /** In milliseconds. */
  at: number;
  value: string;
}

/** What was told, in whatever order, without what changed nothing. Of one time what was told last counts. */
export function makeLog(told: readonly Change[]): Change[] {
  const log: Change[] = [];
  for (const change of told.toSorted((a, b) => a.at - b.at)) {
    const last = log.at(-1);
    if (last?.at === change.at) log.pop();
    if (log.at(-1)?.value !== change.value) log.push(change);
  }
  return log;
}

/** A switch that changes more often for a whole hour is no switch; a device may say so all the same. */
const changesPerHour = 600;
const slot = hour / changesPerHour;

/**
 * A log of so many hours of which no more is kept than that: the last change of each six seconds. It bounds what one device can have the
 * server store, hold in memory and read.
 */
export function thinLog(log: readonly Change[], hours: number): readonly Change[] {
  if (log.length <= changesPerHour * hours) return log;
  const slotOf = ({ at }: Change) => Math.floor(at / slot);
  return log.filter((change, index) => {
    const next = log[index + 1];
    return next === undefined || slotOf(next) !== slotOf(change);
  });
}

/** Those of a log that are numbers. */
export function readNumbers(log: readonly Change[]): Point[] {
  return log.flatMap(({ at, value }) => {
    const number = Number(value);
    return value.trim() !== '' && Number.isFinite(number) ? [{ at, value: number }] : [];
  });
}

/**
 * Buckets of a log, also where nothing changed: a switch is what it last became, for `held` milliseconds at most, and up to `until`,
 * which is not included.
 */
export function bucketLog(
  log: readonly Change[],
  length: number,
  { until, held }: { until: number; held: number },
): Bucket[] {
  const points: Point[] = [];
  const changes = readNumbers(log);
  changes.forEach((point, index) => {
    points.push(point);
    const end = Math.min(changes[index + 1]?.at ?? until, until, point.at + held);
    // Told again where each part begins, it stands in it.
    for (let at = (Math.floor(point.at / length) + 1) * length; at < end; at += length)
      points.push({ at, value: point.value });
  });
  return makeBuckets(points, length);
}
