import { type Kysely, sql } from 'kysely';

/** Equal events of one minute are one row: how often, and when last (null: once). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_events
    add column count integer not null default 1,
    add column last_at timestamptz,
    add column fold_key bytea unique`.execute(db);
}
