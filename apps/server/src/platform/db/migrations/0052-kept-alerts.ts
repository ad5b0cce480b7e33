import { type Kysely, sql } from 'kysely';

/** Alerts whose messages were stored and sent to nobody, as the server had no mail server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts add column is_kept boolean not null default false`.execute(db);
}
