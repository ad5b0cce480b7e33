import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Feature } from '../feature.ts';

const jobStates = ['waiting', 'due', 'running', 'failed'] as const;
type JobState = (typeof jobStates)[number];

/** What the queue holds: `due` could be done now, `failed` is tried no more. */
export function createJobMetrics({ db }: { db: Database }): Feature {
  return {
    name: 'jobs',
    metrics: [
      {
        name: 'pult_jobs',
        help: 'Jobs in the queue by state: waiting for their time, due, running, and failed for good',
        type: 'gauge',
        labels: ['state'],
        async read() {
          const { rows } = await sql<{ state: JobState; count: number }>`
            select case
                when locked_at is not null then 'running'
                when attempts >= max_attempts then 'failed'
                when run_at > now() then 'waiting'
                else 'due'
              end as state, count(*)::int as count
            from graphile_worker.jobs group by 1`.execute(db);
          const counts = new Map(rows.map(({ state, count }) => [state, count]));
          return jobStates.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
        },
      },
    ],
  };
}
