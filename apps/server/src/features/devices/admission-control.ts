export interface AdmissionOptions {
  /** Works that go on at a time. */
  concurrent?: number;
  /** Devices that may wait of those that are new, and as many of those that were let in once; who comes beyond them is asked to retry later. */
  maxWaiting?: number;
  now?: () => number;
}

export interface AdmissionControl {
  /** Works that go on, devices that wait, and how many were asked to retry since the start. */
  readonly state: { readonly active: number; readonly waiting: number; readonly refused: number };
  /** Whether too many wait already, of whatever sort. Of each, and of each client, `ClientLimits` bounds them. */
  isFull(): boolean;
  /** The seconds after which one that is refused is to retry: a later time for each, so that they come back in single file. */
  issueRetryAfter(): number;
  /** Runs the work when there is room, first come, first served. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Makes one batch of what many devices ask for while the batch before it is under way: a query for each would cost
   * more than all else (a data loader). `load` answers with a value for each key, in their order. The devices go on one after the other.
   */
  batch<Key, Value>(load: (keys: readonly Key[]) => Promise<readonly Value[]>): (key: Key) => Promise<Value>;
}

interface Asked<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/** From the retry of one refused device to that of the next, in milliseconds: a small machine takes 300 a second. */
const retryStepMs = 3;
const longestWaitSeconds = 60;
/** Devices whose questions make one batch. */
const maxBatch = 100;
/**
 * Turns of the event loop from one device to the next. In each it accepts one new connection (libuv): without them the
 * queue of those who knock grows in the system instead, where nobody, be it a person or a device, can be answered.
 */
const loopTurns = 8;
/** But no longer than this, in milliseconds: where they take long, devices would wait for ever. */
const longestPauseMs = 4;

/**
 * What devices need to come in, a few at a time: a fleet that comes back at once after a restart would otherwise stand
 * before every person in the queue for a connection. Those who find the queue full are each told a later time.
 */
export function createAdmissionControl({
  concurrent = 6,
  maxWaiting = 300,
  now = () => performance.now(),
}: AdmissionOptions = {}): AdmissionControl {
  const waiting: (() => void)[] = [];
  const queues: (readonly unknown[])[] = [];
  let active = 0;
  let refused = 0;
  /** When the device that was refused last will retry. */
  let lastRetryAt = 0;

  function countWaiting(): number {
    return queues.reduce((sum, asked) => sum + asked.length, waiting.length);
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (active >= concurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    active += 1;
    try {
      return await work();
    } finally {
      active -= 1;
      waiting.shift()?.();
    }
  }

  function batch<Key, Value>(
    load: (keys: readonly Key[]) => Promise<readonly Value[]>,
  ): (key: Key) => Promise<Value> {
    const asked: Asked<Key, Value>[] = [];
    queues.push(asked);
    let isLoading = false;

    async function answer(loaded: readonly Asked<Key, Value>[]): Promise<void> {
      const keys = loaded.map(({ key }) => key);
      const values = await run(() => load(keys)).catch((error: unknown) => {
        for (const { reject } of loaded) reject(error);
        return [];
      });
      for (const [index, { resolve }] of loaded.entries()) {
        resolve(values[index] as Value); // one for each key, by contract
        asked.shift();
        await yieldToEventLoop();
      }
    }

    async function answerAll(): Promise<void> {
      isLoading = true;
      // What comes in the same moment goes along.
      await yieldToEventLoop(1);
      while (asked.length > 0) await answer(asked.slice(0, maxBatch));
      isLoading = false;
    }

    return (key) =>
      new Promise((resolve, reject) => {
        asked.push({ key, resolve, reject });
        if (!isLoading) void answerAll();
      });
  }

  return {
    get state() {
      return { active, waiting: countWaiting(), refused };
    },
    isFull: () => countWaiting() >= 2 * maxWaiting,
    issueRetryAfter() {
      refused += 1;
      const time = now();
      const next = Math.max(time + maxWaiting * retryStepMs, lastRetryAt + retryStepMs);
      lastRetryAt = Math.min(next, time + longestWaitSeconds * 1000);
      return Math.ceil((lastRetryAt - time) / 1000);
    },
    run,
    batch,
  };
}

async function yieldToEventLoop(count = loopTurns): Promise<void> {
  const begun = performance.now();
  for (let turn = 0; turn < count && performance.now() - begun < longestPauseMs; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
