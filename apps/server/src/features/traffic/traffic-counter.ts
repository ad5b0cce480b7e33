import { trafficKinds } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import { Counts } from '../../platform/prometheus/metric.ts';
import { addTraffic, type LocalLinks, type Traffic } from '../devices/index.ts';
import type { TrafficRepository } from './traffic.repository.ts';

/** What a crash may leave uncounted, at most. */
const defaultIntervalMs = 5 * 60_000;

/** Writes down what went to and from all devices, in one statement for all of them. */
export function createTrafficCounter(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  dependencies: {
    links: Pick<LocalLinks, 'takeTraffic' | 'whenAllClosed'>;
    repository: Pick<TrafficRepository, 'add' | 'forgetMonthsBefore'>;
    intervalMs?: number | undefined;
  },
) {
  const { links, repository, intervalMs = defaultIntervalMs } = dependencies;
  /** What a failed statement has left, and what came since. */
  let unwritten = new Map<string, Traffic>();
  /** Of all devices since the start. */
  const totals = new Counts(trafficKinds);
  /** When the interval began whose bytes are being counted. */
  let begun = clock.now();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function keep(traffic: ReadonlyMap<string, Traffic>): void {
    for (const [enrolmentId, added] of traffic) {
      const sum = unwritten.get(enrolmentId);
      if (sum) addTraffic(sum, added);
      else unwritten.set(enrolmentId, added);
    }
  }

  /** Takes what has gone since the last time. */
  function count(): void {
    const taken = links.takeTraffic();
    keep(taken);
    for (const traffic of taken.values()) for (const kind of trafficKinds) totals.add(kind, traffic[kind]);
  }

  async function write(): Promise<void> {
    const at = begun;
    begun = clock.now();
    count();
    const batch = unwritten;
    unwritten = new Map();
    try {
      await repository.add(batch, at);
      await repository.forgetMonthsBefore(begun);
    } catch (error) {
      // Of the database's driver, or a controller was deleted at that moment: nothing of it was written.
      keep(batch);
      log.error({ err: error }, 'traffic not written down');
    }
  }

  /** One after the other: what is taken once is written once. */
  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  function schedule(): void {
    // At whole multiples, and so at midnight: each interval is of one day.
    const untilNext = intervalMs - (clock.now().getTime() % intervalMs);
    timer = setTimeout(() => void flush().then(schedule), untilNext).unref();
  }

  return {
    /** Up to now. */
    readTotals(): Counts {
      count();
      return totals;
    },
    start: schedule,
    /** After the last byte of the last link. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      timer = undefined;
      await links.whenAllClosed();
      await flush();
    },
  };
}
