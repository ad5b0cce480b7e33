import { type Kysely, sql } from 'kysely';

/** Controllers that are to move as little as they can. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table controllers add column traffic_saver boolean not null default false`.execute(db);
}
