import { type Kysely, sql } from 'kysely';

/**
 * By which kind of connection a device comes: all so far by our own agent. The keys of those by SSH are looked for when a person
 * registers one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table enrolments add column connection_kind text not null default 'agent'`.execute(db);
  await sql`create index enrolments_ssh_key on enrolments (public_key) where connection_kind = 'ssh'`.execute(
    db,
  );
  await sql`alter table controllers add column connection_kind text not null default 'agent'`.execute(db);
}
