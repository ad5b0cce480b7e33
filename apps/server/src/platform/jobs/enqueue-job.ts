import { sql } from 'kysely';
import type { DatabaseTransaction } from '../db/schema.ts';

export interface NewJob {
  /** Of a QueuedJob. */
  name: string;
  /** One job waits under a key: another takes its place. One that is running already is not disturbed. */
  key: string;
  payload: unknown;
  /** Seconds from now. */
  delay: number;
  /** One that waits under the key already keeps its time. */
  keepsTime?: boolean;
}

/** Puts a job into the queue with the transaction: what is rolled back is never done. */
export async function enqueueJob(transaction: DatabaseTransaction, job: NewJob): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      identifier => ${job.name},
      payload => ${JSON.stringify(job.payload)}::json,
      job_key => ${job.key},
      job_key_mode => ${job.keepsTime ? 'preserve_run_at' : 'replace'},
      run_at => now() + make_interval(secs => ${job.delay})
    )`.execute(transaction);
}
