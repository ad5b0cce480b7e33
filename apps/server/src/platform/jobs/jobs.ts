import { parseCronItems, run } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { createWorkerLogger } from './log.ts';
import { createQueuePool } from './queue-pool.ts';

/** Something that is done again and again, by one server of however many. */
export interface RecurringJob {
  name: string;
  /** A crontab pattern, in UTC. */
  schedule: string;
  run(): Promise<void>;
}

/** Something that is done for each entry of the queue; see enqueueJob. One that throws is tried again. */
export interface QueuedJob {
  name: string;
  /** `signal` aborts when the server stops and will not wait any longer. */
  run(payload: unknown, signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Waits for what is running, and tells it to end when that takes long. */
  stop(): Promise<void>;
}

/** Runs the jobs from a queue in the database: each due time is taken once, a failed one is tried again. */
export async function startJobs(
  pool: pg.Pool,
  jobs: readonly (RecurringJob | QueuedJob)[],
  log: Logger,
): Promise<Jobs> {
  const recurring = jobs.filter((job) => 'schedule' in job);
  const queue = createQueuePool(pool);
  const runner = await run({
    pgPool: queue.pool,
    // A mail server that does not answer holds some of them for a while; the cleaning goes on beside.
    concurrency: 4,
    noHandleSignals: true,
    logger: createWorkerLogger(log),
    taskList: Object.fromEntries(
      jobs.map((job) => [
        job.name,
        (payload: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
          'schedule' in job ? job.run() : job.run(payload, abortSignal),
      ]),
    ),
    parsedCronItems: parseCronItems(recurring.map((job) => ({ task: job.name, match: job.schedule }))),
  });
  // Its own end is told to the log; without a handler a lost database would end the process.
  runner.promise.catch((error: Error) => log.error({ error: error.message }, 'jobs stopped'));
  return {
    async stop() {
      await runner.stop();
      await queue.close();
    },
  };
}
