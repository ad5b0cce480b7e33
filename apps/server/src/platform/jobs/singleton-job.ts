import type pg from 'pg';
import type { Node } from '../cluster/index.ts';

interface Job {
  name: string;
  run(): Promise<void>;
}

/** By which other nodes find the connections that hold locks of this one. */
export const lockHolder = (nodeId: string) => `pult jobs ${nodeId}`;

/**
 * Runs a recurring job, never beside itself: one that takes longer than its interval would take one worker after the other. With
 * several nodes on all of them, by a lock of the database; who does not get it leaves the job to the other one.
 */
export function createSingletonJobs(
  pool: Pick<pg.Pool, 'connect'>,
  node: Pick<Node, 'id' | 'settings'>,
): (job: Job) => Promise<void> {
  const running = new Set<string>();

  async function runLocked({ name, run }: Job): Promise<void> {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query(`select set_config('application_name', $1, false)`, [lockHolder(node.id)]);
      const { rows } = await client.query<{ is_locked: boolean }>(
        `select pg_try_advisory_lock(hashtext('pult jobs'), hashtext($1)) as is_locked`,
        [name],
      );
      if (rows[0]?.is_locked) await run();
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection that is closed holds no lock, and has no name.
      client.release(failure ?? true);
    }
  }

  return async (job) => {
    if (running.has(job.name)) return;
    running.add(job.name);
    try {
      await (node.settings ? runLocked(job) : job.run());
    } finally {
      running.delete(job.name);
    }
  };
}
