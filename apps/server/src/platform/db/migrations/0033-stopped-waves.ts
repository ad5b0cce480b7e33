import { type Kysely, sql } from 'kysely';

/** Why updates of agents that begin by themselves have stopped, that somebody has them go on, and lists of those that failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table agent_update_waves
    add column stopped_reason text check (stopped_reason in ('returned', 'silent')),
    add column stopped_detail text,
    add column resumed_at timestamptz`,
  `update agent_update_waves set stopped_reason = 'returned' where stopped_at is not null`,
  `alter table agent_update_waves add check ((stopped_at is null) = (stopped_reason is null))`,
  `create index agent_updates_listed on agent_updates (status, controller_id) where status <> 'done'`,
];
