import { type Kysely, sql } from 'kysely';

/** Backups that the server has made by its schedule, and the oldest release that may run on this schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table backup_runs (
    id uuid primary key,
    due_at timestamptz not null unique,
    started_at timestamptz not null,
    ended_at timestamptz,
    status text not null default 'running',
    name text not null,
    size bigint,
    error text
  )`.execute(db);
  // One row: migrations that older code cannot live with raise it.
  await sql`create table schema_compatibility (
    only_row boolean primary key default true check (only_row),
    readable_since text not null
  )`.execute(db);
  await sql`insert into schema_compatibility (readable_since) values ('0.1.0')`.execute(db);
}
