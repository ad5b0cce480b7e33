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
  /**
   * Makes one work of what many devices ask for while the one before it is under way: a query for each would cost more
   * than all else. `load` answers with a value for each key, in their order.
   */
  gather<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>): (key: Key) => Promise<Value>;
}

interface Asking<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** How much of the time since the work before counts in the average. */
const weight = 0.05;
const longestWaitSeconds = 60;
/** Turns that a device takes until it is linked and has said what it is. */
const worksPerDevice = 3;
/** What a device costs without the database, in milliseconds. */
const leastStepMs = 2;
/** Devices whose questions make one work. */
const maxTogether = 100;

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
  const gatherings: (readonly unknown[])[] = [];
  let active = 0;
  /** Milliseconds of one work. */
  let workMs = 20;
  /** When the device that was sent away last will come back. */
  let lastPromise = 0;

  function next(): void {
    active -= 1;
    waiting.shift()?.();
  }

  function countWaiting(): number {
    return gatherings.reduce((sum, asking) => sum + asking.length, waiting.length);
  }

  async function take<T>(work: () => Promise<T>, devices = 1): Promise<T> {
    if (active >= concurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
    const begun = now();
    try {
      return await work();
    } finally {
      workMs += ((now() - begun) / devices - workMs) * weight;
      next();
    }
  }

  function gather<Key, Value>(
    load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  ): (key: Key) => Promise<Value> {
    const asking: Asking<Key, Value>[] = [];
    gatherings.push(asking);
    let isLoading = false;

    async function answer(batch: readonly Asking<Key, Value>[]): Promise<void> {
      try {
        const values = await load(batch.map(({ key }) => key));
        // One for each key, by contract.
        for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }

    async function loadAll(): Promise<void> {
      isLoading = true;
      // What comes in the same moment goes along.
      await new Promise((resolve) => setImmediate(resolve));
      while (asking.length > 0) {
        const batch = asking.slice(0, maxTogether);
        await take(() => {
          asking.splice(0, batch.length);
          return answer(batch);
        }, batch.length);
      }
      isLoading = false;
    }

    return (key) =>
      new Promise((resolve, reject) => {
        asking.push({ key, resolve, reject });
        if (!isLoading) void loadAll();
      });
  }

  return {
    checkRoom(isExpected = false) {
      if (countWaiting() < (isExpected ? 2 * maxWaiting : maxWaiting)) return;
      const stepMs = Math.max(leastStepMs, worksPerDevice * (workMs / concurrent));
      const soonest = now() + maxWaiting * stepMs;
      lastPromise = Math.max(soonest, lastPromise + stepMs);
      const seconds = Math.ceil((lastPromise - now()) / 1000);
      throw new DomainError('service_unavailable', { seconds: Math.min(seconds, longestWaitSeconds) });
    },
    take: (work) => take(work),
    gather,
  };
}
