import { type Kysely, sql } from 'kysely';

/** By which kind of connection a device comes: all so far by our own agent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table enrolments add column connection_kind text not null default 'agent'`.execute(db);
  await sql`alter table controllers add column connection_kind text not null default 'agent'`.execute(db);
}
