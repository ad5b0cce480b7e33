import { DomainError } from '../../platform/errors.ts';

export interface DeviceTurnsOptions {
  /** Works that go on at a time. */
  concurrent?: number;
  /** Works that may wait for their turn; who comes beyond them is asked to come later. */
  maxWaiting?: number;
  now?: () => number;
}

export interface DeviceTurns {
  /**
   * Throws `service_unavailable`, with the seconds after which to come again, when too many wait already. Who was let in
   * once (`isExpected`) finds room where others do not.
   */
  checkRoom(isExpected?: boolean): void;
  /** Does the work in its turn, first come, first served. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** How much of the time since the work before counts in the average. */
const weight = 0.05;
const longestWaitSeconds = 60;
/** Turns that a device takes until it is linked and has said what it is. */
const worksPerDevice = 3;

/**
 * What devices need of the database to come in, a few at a time: a fleet that comes back at once after a restart would
 * otherwise stand before every person in the queue for a connection. Those who find the queue full are each told a
 * later time, one after the other as fast as the queue has moved so far, so that they come back in single file.
 */
export function createDeviceTurns({
  concurrent = 6,
  maxWaiting = 150,
  now = () => performance.now(),
}: DeviceTurnsOptions = {}): DeviceTurns {
  const waiting: (() => void)[] = [];
  let active = 0;
  /** Milliseconds of one work. */
  let workMs = 20;
  /** When the device that was sent away last will come back. */
  let lastPromise = 0;

  function next(): void {
    active -= 1;
    waiting.shift()?.();
  }

  async function take<T>(work: () => Promise<T>): Promise<T> {
    if (active >= concurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
    const begun = now();
    try {
      return await work();
    } finally {
      workMs += (now() - begun - workMs) * weight;
      next();
    }
  }

  return {
    checkRoom(isExpected = false) {
      if (waiting.length < (isExpected ? 2 * maxWaiting : maxWaiting)) return;
      const stepMs = worksPerDevice * (workMs / concurrent);
      const soonest = now() + maxWaiting * stepMs;
      lastPromise = Math.max(soonest, lastPromise + stepMs);
      const seconds = Math.ceil((lastPromise - now()) / 1000);
      throw new DomainError('service_unavailable', { seconds: Math.min(seconds, longestWaitSeconds) });
    },
    take,
  };
}
