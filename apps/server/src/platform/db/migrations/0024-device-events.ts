import { type Kysely, sql } from 'kysely';

/** What devices that ask for their news are to be told, and have been told last: one row for each sort of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table device_events (
    enrolment_id uuid not null references enrolments on delete cascade,
    code text not null,
    id uuid not null,
    version bytea not null,
    created_at timestamptz not null,
    confirmed_at timestamptz,
    repeats integer not null default 0,
    primary key (enrolment_id, code)
  )`.execute(db);
}
