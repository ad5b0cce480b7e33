import { type Kysely, sql } from 'kysely';

/** Those that are missing on the map, in the order of the list: a few of many, or many before they are placed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index controllers_unlocated on controllers (organization_id, serial_number)
    where latitude is null`.execute(db);
}
