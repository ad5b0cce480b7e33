import { runMigrations } from 'graphile-worker';
import { Migrator } from 'kysely';
import { createWorkerLogger } from '../jobs/log.ts';
import type { Logger } from '../log.ts';
import type { DatabaseConnection } from './connect.ts';
import { migrations } from './migrations/index.ts';

/**
 * Brings the schema up to date, ours and that of the job queue, which transactions write to. Several servers
 * starting at once wait for each other (Kysely's lock; the queue's library sees its own clashes).
 */
export async function migrateDatabase({ db, pool }: DatabaseConnection, log: Logger): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database could not be migrated', { cause: error });
  await runMigrations({ pgPool: pool, logger: createWorkerLogger(log) });
}
