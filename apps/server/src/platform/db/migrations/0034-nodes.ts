import { type Kysely, sql } from 'kysely';

/** The nodes of the installation: each run of a server is one. What is open says which of them has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table nodes (
    id text primary key,
    address text,
    version text not null,
    state text not null check (state in ('active', 'leaving', 'left', 'lost')),
    links integer not null default 0,
    started_at timestamptz not null,
    lease_until timestamptz not null,
    left_at timestamptz,
    cleaned_at timestamptz,
    check ((left_at is null) = (state in ('active', 'leaving')))
  )`,
  `alter table tunnel_records add column node_id text`,
  `alter table diagnostics add column node_id text`,
  `alter table agent_updates add column node_id text`,
  `alter table backup_runs add column node_id text`,
  `alter table controllers add column held_by text`,
];
