import { type Kysely, sql } from 'kysely';

/** Tunnels to ports that have no name, which rest on another permission than all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tunnels add column forwarded_port integer,
    add check (forwarded_port is null or (protocol = 'tcp' and endpoint_port is null))`.execute(db);
}
