import { findCluster, reachPostgres } from '@pult/embedded-postgres';
import { type Config, loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import type { Secrets } from '../config/secrets.ts';
import { type ConnectionSettings, connectDatabase, type DatabaseConnection } from '../platform/db/connect.ts';
import { assertCurrentSchema } from '../platform/db/migrate.ts';
import type { Database } from '../platform/db/schema.ts';
import { createLog, type Logger } from '../platform/log.ts';
import { findSecrets } from '../shared-secrets.ts';
import { version } from '../version.ts';

export function readConfig() {
  return loadConfig(readEnvironment({ env: process.env, directory: process.cwd() }), { version });
}

/**
 * Does something with the server's database: of the running server, or started for the moment. Neither makes secrets nor changes the
 * schema: that is the server's.
 */
export async function withDatabase(work: (db: Database, secrets: Secrets) => Promise<void>): Promise<void> {
  const config = readConfig();
  const log = createLog('warn');
  const { secrets, settings, stop } = await openSettings(config, log);
  const database = connectDatabase(settings, log, 2);
  try {
    await assertCurrentSchema(database.db);
    await work(database.db, secrets);
  } finally {
    await database.close();
    await stop();
  }
}

/** The way to the database of a server that has been started before. */
export async function openSettings(
  config: Config,
  log: Logger,
): Promise<{ secrets: Secrets; settings: ConnectionSettings; stop(): Promise<void> }> {
  const { dir } = config.data;
  const { url } = config.database;
  const secrets = await findOwnSecrets(config, log);
  if (!secrets || (url === undefined && !(await findCluster(dir)))) {
    throw new Error(
      `No server has been started on ${dir} yet. Start it once, or name its folder in DATA_DIR.`,
    );
  }
  if (url !== undefined) return { secrets, settings: { url }, stop: async () => {} };
  const { connection, stop } = await reachPostgres({ dataDir: dir, password: secrets.databasePassword, log });
  return { secrets, settings: connection, stop };
}

/** Undefined where no server has made any. */
export async function findOwnSecrets(config: Config, log: Logger): Promise<Secrets | undefined> {
  const { url } = config.database;
  let database: DatabaseConnection | undefined;
  try {
    return await findSecrets(config, async () => {
      if (url === undefined) throw new Error('SECRETS_KEY needs DATABASE_URL'); // the settings have been checked
      database = connectDatabase({ url }, log, 1);
      await assertCurrentSchema(database.db);
      return database.db;
    });
  } finally {
    await database?.close();
  }
}
