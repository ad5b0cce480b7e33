import type pg from 'pg';
import { isDatabaseOutage } from '../db/outage.ts';

export interface QueuePool {
  pool: pg.Pool;
  /** Resolves when the database is away: at once where it was not there when it was asked last. */
  whenAway(): Promise<void>;
  /** Waits for what is being written; nothing more is after that. */
  close(): Promise<void>;
}

/**
 * The pool as the queue's library has to see it. It notes that a job is done without waiting for that (0.17.3), so
 * that a failure there has no handler and would end the process: an outage gets a code that the library tries again
 * for, and a stop waits until everything is noted.
 */
export function createQueuePool(pool: pg.Pool): QueuePool {
  const busy = new Set<Promise<unknown>>();
  let isClosed = false;
  let isAway = false;
  const watchers: (() => void)[] = [];

  function track<T>(work: Promise<T>): Promise<T> {
    const settled: Promise<unknown> = work.then(
      () => busy.delete(settled),
      () => busy.delete(settled),
    );
    busy.add(settled);
    return work;
  }

  async function retryable<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      isAway = false;
      return result;
    } catch (error) {
      isAway = false;
      if (error instanceof Error && isDatabaseOutage(error)) {
        isAway = true;
        for (const tell of watchers.splice(0)) tell();
        // ETIMEDOUT is one of the few codes it knows.
        Object.assign(error, { code: 'ETIMEDOUT' });
      }
      throw error;
    }
  }

  const connect = async () => {
    if (isClosed) return new Promise<never>(() => {});
    const client = await track(retryable(pool.connect()));
    const released = new Promise<void>((resolve) => {
      const release = client.release.bind(client);
      client.release = (error) => {
        // The pool puts its own back at the next connect.
        release(error);
        resolve();
      };
    });
    void track(released);
    return withQueries(client, retryable);
  };

  return {
    pool: new Proxy(pool, {
      get(target, name) {
        // With a callback it is the connection that listens for new jobs, which the library watches itself.
        if (name === 'connect') return (done?: never) => (done ? target.connect(done) : connect());
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
    whenAway: () =>
      isAway ? Promise.resolve() : new Promise<void>((resolve) => void watchers.push(resolve)),
    async close() {
      while (busy.size > 0) await Promise.all(busy);
      isClosed = true;
    },
  };
}

function withQueries(
  client: pg.PoolClient,
  watch: (result: Promise<unknown>) => Promise<unknown>,
): pg.PoolClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return (...given: unknown[]) => {
        const result: unknown = value.apply(target, given);
        return result instanceof Promise ? watch(result) : result;
      };
    },
  });
}
