import { currentMajor, estimateMove, findDatabaseFolder, retainedOf } from '@pult/embedded-postgres';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Database } from '../platform/db/schema.ts';

/** The move of the embedded database to another major version of PostgreSQL that a start makes first; undefined where it makes none. */
export async function foreseeMove(
  db: Database,
  { data, database }: Config,
  databaseBytes: number,
): Promise<{ text: string; neededBytes: number } | undefined> {
  if (database.url !== undefined) return undefined;
  const { rows } = await sql<{ number: number }>`
    select current_setting('server_version_num')::int as number`.execute(db);
  const major = String(Math.floor((rows[0]?.number ?? 0) / 10_000));
  if (major === currentMajor) return undefined;
  const { neededBytes, milliseconds } = estimateMove(databaseBytes);
  const kept = retainedOf(await findDatabaseFolder(data.dir), major);
  return {
    neededBytes,
    text:
      `postgresql: the start moves the database from PostgreSQL ${major} to ${currentMajor} first, in about ${Math.ceil(milliseconds / 1_000)} s ` +
      `in which nobody is served; the old one stays in ${kept} until the new one has run for a day`,
  };
}
