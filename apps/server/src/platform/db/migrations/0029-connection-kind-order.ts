import { type Kysely, sql } from 'kysely';

/** The list in the order of how controllers connect, and the few of a rare kind among many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index controllers_connection_kind
    on controllers (organization_id, connection_kind, serial_number)`.execute(db);
}
