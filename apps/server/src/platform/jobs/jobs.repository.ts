import { sql } from 'kysely';
import type { Node } from '../cluster/index.ts';
import type { Database } from '../db/schema.ts';
import { lockHolder } from './singleton-job.ts';

export const jobStates = ['waiting', 'due', 'running', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

export interface FailedJob {
  id: string;
  name: string;
  failedAt: Date;
  error: string;
  isGivenUp: boolean;
}

/** SQL of the queue, for those who look at it. */
export function createJobsRepository(db: Database) {
  return {
    /** `due` could be done now, `failed` is tried no more. */
    async countByState(): Promise<ReadonlyMap<JobState, number>> {
      const { rows } = await sql<{ state: JobState; count: number }>`
        select case
            when locked_at is not null then 'running'
            when attempts >= max_attempts then 'failed'
            when run_at > now() then 'waiting'
            else 'due'
          end as state, count(*)::int as count
        from graphile_worker.jobs group by 1`.execute(db);
      return new Map(rows.map(({ state, count }) => [state, count]));
    },

    /** Seconds for which the first of those that are due has been so; 0 where none is. */
    async getDelay(): Promise<number> {
      const { rows } = await sql<{ seconds: number }>`
        select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as seconds from graphile_worker.jobs
        where locked_at is null and attempts < max_attempts and run_at <= now()`.execute(db);
      return rows[0]?.seconds ?? 0;
    },

    /** Those whose last try has failed, the newest first. */
    async listFailed(limit: number): Promise<FailedJob[]> {
      const { rows } = await sql<FailedJob>`
        select id::text, task_identifier as name, updated_at as "failedAt", last_error as error,
          attempts >= max_attempts as "isGivenUp"
        from graphile_worker.jobs where last_error is not null and locked_at is null
        order by updated_at desc, id desc limit ${limit}`.execute(db);
      return rows;
    },

    /** When each recurring job was begun last, by its name. */
    async listLastRuns(): Promise<ReadonlyMap<string, Date>> {
      const { rows } = await sql<{ name: string; at: Date }>`
        select identifier as name, last_execution as at from graphile_worker._private_known_crontabs
        where last_execution is not null`.execute(db);
      return new Map(rows.map(({ name, at }) => [name, at]));
    },

    /** Gives back what nodes have taken that are gone, and ends the connections by which they hold locks. */
    async unlockLeft(node: Pick<Node, 'isDeadNode'>): Promise<void> {
      await sql`
        with holders as (
          select locked_by, split_part(locked_by, '.', 1) as node_id from (
            select locked_by from graphile_worker._private_jobs
            union select locked_by from graphile_worker._private_job_queues
          ) locked where locked_by is not null
        )
        select graphile_worker.force_unlock_workers(array(
          select locked_by from holders where ${node.isDeadNode('node_id')}))`.execute(db);
      // A machine that lost its power has closed nothing.
      await sql`
        select pg_terminate_backend(pid) from (
          select pid, substr(application_name, ${lockHolder('').length + 1}) as node_id from pg_stat_activity
          where datname = current_database() and starts_with(application_name, ${lockHolder('')})
        ) holders where ${node.isDeadNode('node_id')}`.execute(db);
    },

    /** Makes one due at once whose last try has failed. Its name; undefined where there is no such job. */
    async retry(id: string): Promise<string | undefined> {
      const { rows } = await sql<{ name: string }>`
        with failed as (
          select jobs.id, task_identifier as name from graphile_worker.jobs
          where jobs.id::text = ${id} and last_error is not null and locked_at is null
        )
        select failed.name from failed,
          lateral graphile_worker.reschedule_jobs(array[failed.id], run_at => now(), attempts => 0)`.execute(
        db,
      );
      return rows[0]?.name;
    },
  };
}
export type JobsRepository = ReturnType<typeof createJobsRepository>;
