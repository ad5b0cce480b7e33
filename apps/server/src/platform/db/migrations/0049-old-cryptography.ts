import { type Kysely, sql } from 'kysely';

/** What of the TLS of a named endpoint was old when it was last opened, and which old algorithms of SSH people took for a controller. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table controller_endpoints add column old_tls text`.execute(db);
  await sql`alter table controllers add column old_ssh_algorithms text[] not null default '{}'`.execute(db);
}
