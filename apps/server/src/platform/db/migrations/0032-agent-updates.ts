import { type Kysely, sql } from 'kysely';

/** Updates of agents: the last one of each controller, and how a version gets to all by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table agent_updates (
    controller_id uuid primary key references controllers on delete cascade,
    id uuid not null unique,
    status text not null check (status in ('waiting', 'running', 'done', 'returned', 'failed')),
    reason text,
    detail text,
    from_version text not null,
    to_version text not null,
    may_downgrade boolean not null,
    requested_by uuid references users on delete set null,
    is_automatic boolean not null,
    created_at timestamptz not null,
    sent_at timestamptz,
    silent_seconds integer not null default 0,
    finished_at timestamptz,
    check ((status = 'failed') = (reason is not null)),
    check ((status in ('waiting', 'running')) = (finished_at is null))
  )`,
  `create index agent_updates_unfinished on agent_updates (status) where status in ('waiting', 'running')`,
  `create index agent_updates_version on agent_updates (to_version, status) where is_automatic`,
  `create index agent_updates_requested_by on agent_updates (requested_by)`,
  // The order of lists by the agent's version, as those of 0001.
  `create index controllers_agent_version_order on controllers
    (organization_id, (translate(lower(agent_version), 'ё', 'е') collate "C"), serial_number)`,
  `create table agent_update_waves (
    version text primary key,
    wave smallint not null,
    started_at timestamptz not null,
    stopped_at timestamptz
  )`,
];
