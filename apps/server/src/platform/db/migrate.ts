import { runMigrations } from 'graphile-worker';
import { Migrator } from 'kysely';
import { createWorkerLogger } from '../jobs/log.ts';
import type { Logger } from '../log.ts';
import type { DatabaseConnection } from './connect.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/** Kysely's own table, which our schema does not list. */
type MigrationTable = { kysely_migration: { name: string } };

/**
 * Throws when the database has been migrated by what this server does not know: it would be taken for another schema
 * than it has.
 */
async function assertKnownMigrations(db: Database, migrator: Migrator): Promise<void> {
  // Kysely makes its table at the first migration; asked before, an empty database has none.
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const rows = await db.withTables<MigrationTable>().selectFrom('kysely_migration').select('name').execute();
  const known = (await migrator.getMigrations()).map(({ name }) => name);
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const isNewer = unknown.every((name) => name > (known.at(-1) ?? ''));
  throw new Error(
    `This data folder is of ${isNewer ? 'a newer' : 'an older'} Pult and cannot be used: its database has the ` +
      `migration ${unknown.sort()[0]}, which this server does not know. ` +
      (isNewer
        ? 'Install the newer Pult again.'
        : 'Name an empty folder in DATA_DIR, or an empty database in DATABASE_URL.'),
  );
}

/**
 * Brings the schema up to date, ours and that of the job queue, which transactions write to. Several servers
 * starting at once wait for each other (Kysely's lock; the queue's library sees its own clashes).
 */
export async function migrateDatabase({ db, pool }: DatabaseConnection, log: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  await assertKnownMigrations(db, migrator);
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database could not be migrated', { cause: error });
  await runMigrations({ pgPool: pool, logger: createWorkerLogger(log) });
}
