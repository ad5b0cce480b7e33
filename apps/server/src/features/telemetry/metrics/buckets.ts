import { limits } from '@pult/contract';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Lengths that people read off an axis. */
const lengths = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * hour),
];

/** The shortest bucket of which so few cover the period, cut at multiples of its length, that an answer holds them. */
export function chooseBucket(start: Date, stop: Date): number {
  const period = stop.getTime() - start.getTime();
  // One bucket more than fits may be touched at the ends.
  const most = limits.metricPoints - 1;
  const fitting = lengths.find((length) => period / length <= most);
  return fitting ?? Math.ceil(period / most / (24 * hour)) * 24 * hour;
}

const day = 24 * hour;

/**
 * A period as it is asked of a store, and the length of its parts; undefined when nothing can be in it. Beyond the
 * retention there is nothing; a store need not know the year 9999.
 */
export function choosePeriod(
  asked: { start: string; stop: string },
  { now, retentionDays }: { now: Date; retentionDays: number },
): { start: Date; stop: Date; bucketMs: number } | undefined {
  const [from, to] = [new Date(asked.start), new Date(asked.stop)];
  const bucketMs = chooseBucket(from, to);
  const start = new Date(Math.max(from.getTime(), now.getTime() - (retentionDays + 1) * day));
  const stop = new Date(Math.min(to.getTime(), now.getTime() + day));
  return start < stop ? { start, stop, bucketMs } : undefined;
}
