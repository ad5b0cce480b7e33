import { type Kysely, sql } from 'kysely';

/** How a backup came about, and who asked for it; of those before it is not known who did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table backup_runs add column origin text not null default 'schedule', add column requested_by text`.execute(
    db,
  );
}
