import { type Kysely, sql } from 'kysely';

/** What a driver calls the values of a control, such as the modes of a fan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mqtt_controls add column value_titles jsonb`.execute(db);
}
