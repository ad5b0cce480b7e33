import { parseCronItems, run, Logger as WorkerLogger } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';

/** Something that is done again and again, by one server of however many. */
export interface RecurringJob {
  name: string;
  /** A crontab pattern, in UTC. */
  schedule: string;
  run(): Promise<void>;
}

export interface Jobs {
  /** Waits for what is running. */
  stop(): Promise<void>;
}

/** Runs the jobs from a queue in the database: each due time is taken once, a failed one is tried again. */
export async function startJobs(pool: pg.Pool, jobs: readonly RecurringJob[], log: Logger): Promise<Jobs> {
  const runner = await run({
    pgPool: pool,
    concurrency: 2,
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => {
      if (level === 'error') log.error(message);
      else if (level === 'warning') log.warn(message);
      else log.debug(message);
    }),
    taskList: Object.fromEntries(jobs.map((job) => [job.name, () => job.run()])),
    parsedCronItems: parseCronItems(jobs.map((job) => ({ task: job.name, match: job.schedule }))),
  });
  // Its own end is told to the log; without a handler a lost database would end the process.
  runner.promise.catch((error: Error) => log.error({ error: error.message }, 'jobs stopped'));
  return { stop: () => runner.stop() };
}
