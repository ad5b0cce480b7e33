import { type Kysely, sql } from 'kysely';

/** What the web server of a named service is told as `Host`, where it answers to a name of its own only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table controller_endpoints add column host_header text`.execute(db);
}
