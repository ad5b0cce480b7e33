export interface DeviceTurnsOptions {
  /** Works that go on at a time. */
  concurrent?: number;
  /** Devices that may wait for their turn; who comes beyond them is asked to come later. */
  maxWaiting?: number;
  now?: () => number;
}

export interface DeviceTurns {
  /** Whether too many wait already. Who was let in once (`isExpected`) finds room where others do not. */
  isFull(isExpected?: boolean): boolean;
  /** The seconds after which one that is sent away is to come again. */
  promiseReturn(): number;
  /** Does the work in its turn, first come, first served. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Makes one work of what many devices ask for while the one before it is under way: a query for each would cost more
   * than all else. `load` answers with a value for each key, in their order. The devices go on one after the other.
   */
  gather<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>): (key: Key) => Promise<Value>;
}

interface Asking<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** From one device that was sent away to the next one's return, in milliseconds: a small machine takes 300 a second. */
const stepMs = 3;
const longestWaitSeconds = 60;
/** Devices whose questions make one work. */
const maxTogether = 100;
/**
 * Turns of the event loop from one device to the next. In each it accepts one new connection (libuv): without them the
 * queue of those who knock grows in the system instead, where nobody, be it a person or a device, can be answered.
 */
const loopTurns = 8;
/** But no longer than this, in milliseconds: where turns take long, devices would wait for ever. */
const longestPauseMs = 4;

/**
 * What devices need to come in, a few at a time: a fleet that comes back at once after a restart would otherwise stand
 * before every person in the queue for a connection. Those who find the queue full are each told a later time, one after
 * the other, so that they come back in single file.
 */
export function createDeviceTurns({
  concurrent = 6,
  maxWaiting = 300,
  now = () => performance.now(),
}: DeviceTurnsOptions = {}): DeviceTurns {
  const waiting: (() => void)[] = [];
  const gatherings: (readonly unknown[])[] = [];
  let active = 0;
  /** When the device that was sent away last will come back. */
  let lastPromise = 0;

  function countWaiting(): number {
    return gatherings.reduce((sum, asking) => sum + asking.length, waiting.length);
  }

  async function take<T>(work: () => Promise<T>): Promise<T> {
    if (active >= concurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
    try {
      return await work();
    } finally {
      active -= 1;
      waiting.shift()?.();
    }
  }

  function gather<Key, Value>(
    load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  ): (key: Key) => Promise<Value> {
    const asking: Asking<Key, Value>[] = [];
    gatherings.push(asking);
    let isLoading = false;

    async function answer(batch: readonly Asking<Key, Value>[]): Promise<void> {
      const keys = batch.map(({ key }) => key);
      const values = await take(() => load(keys)).catch((error: unknown) => {
        for (const { reject } of batch) reject(error);
        return [];
      });
      for (const [index, { resolve }] of batch.entries()) {
        resolve(values[index] as Value); // one for each key, by contract
        asking.shift();
        await passLoopTurns();
      }
    }

    async function answerAll(): Promise<void> {
      isLoading = true;
      // What comes in the same moment goes along.
      await passLoopTurns(1);
      while (asking.length > 0) await answer(asking.slice(0, maxTogether));
      isLoading = false;
    }

    return (key) =>
      new Promise((resolve, reject) => {
        asking.push({ key, resolve, reject });
        if (!isLoading) void answerAll();
      });
  }

  return {
    isFull: (isExpected = false) => countWaiting() >= (isExpected ? 2 * maxWaiting : maxWaiting),
    promiseReturn() {
      const time = now();
      const next = Math.max(time + maxWaiting * stepMs, lastPromise + stepMs);
      lastPromise = Math.min(next, time + longestWaitSeconds * 1000);
      return Math.ceil((lastPromise - time) / 1000);
    },
    take,
    gather,
  };
}

async function passLoopTurns(count = loopTurns): Promise<void> {
  const begun = performance.now();
  for (let turn = 0; turn < count && performance.now() - begun < longestPauseMs; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
