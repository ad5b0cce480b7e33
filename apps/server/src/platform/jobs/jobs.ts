import { EventEmitter } from 'node:events';
import { parseCronItems, run, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Node } from '../cluster/index.ts';
import type { Logger } from '../log.ts';
import { createWorkerLogger } from './log.ts';
import { createQueuePool } from './queue-pool.ts';
import { startRecurrence } from './recurrence.ts';
import { createSingletonJobs } from './singleton-job.ts';

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
  /** It asks strangers, who may keep it waiting as long as they like: it has workers of its own. */
  isSlow?: boolean;
  /** `signal` aborts when the server stops and will not wait any longer. */
  run(payload: unknown, signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Waits for what is running, and tells it to end when that takes long. Not while the database is away: nothing could be noted there. */
  stop(): Promise<void>;
}

/** Runs the jobs from a queue in the database: each due time is taken once, a failed one is tried again. */
export async function startJobs(
  pool: pg.Pool,
  jobs: readonly (RecurringJob | QueuedJob)[],
  log: Logger,
  node: Pick<Node, 'id' | 'settings'>,
): Promise<Jobs> {
  const queue = createQueuePool(pool);
  const runSingleton = createSingletonJobs(pool, node);

  const startRunner = async (own: readonly (RecurringJob | QueuedJob)[]) => {
    const runner = await run({
      pgPool: queue.pool,
      // A mail server that does not answer holds some of them for a while; the cleaning goes on beside.
      concurrency: 4,
      noHandleSignals: true,
      logger: createWorkerLogger(log),
      taskList: Object.fromEntries(
        own.map((job) => [
          job.name,
          (payload: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
            'schedule' in job ? runSingleton(job) : job.run(payload, abortSignal),
        ]),
      ),
      // Without any it would read a file of that name in the working folder.
      parsedCronItems: parseCronItems([]),
      events: nameByNode(node),
    });
    // Its own end is told to the log; without a handler a lost database would end the process.
    runner.promise.catch((error: Error) => log.error({ err: error }, 'jobs stopped'));
    return runner;
  };
  const isSlow = (job: RecurringJob | QueuedJob) => 'isSlow' in job && job.isSlow === true;
  const slow = jobs.filter(isSlow);
  const runner = await startRunner(jobs.filter((job) => !isSlow(job)));
  const runners = slow.length > 0 ? [runner, await startRunner(slow)] : [runner];
  const recurrence = await startRecurrence(pool, {
    jobs: jobs.filter((job) => 'schedule' in job),
    log,
  });
  return {
    async stop() {
      await recurrence.stop();
      const stopped = Promise.all(runners.map((each) => each.stop()));
      // A worker that finds the database away sleeps for up to two minutes before it sees that it is to stop (0.17.3). What it has
      // taken is given back by the next start.
      await Promise.race([stopped, queue.whenAway()]);
      await queue.close();
    },
  };
}

/**
 * What is taken out of the queue says by whom: another node gives it back when this one is gone, where the library would wait for
 * four hours. It has no setting for the name of a pool (0.17.3), which it reads each time.
 */
function nameByNode(node: Pick<Node, 'id'>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => {
    const own = workerPool.id;
    Object.defineProperty(workerPool, 'id', { get: () => `${node.id}.${own}` });
  });
  return events;
}
