import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { loadSecrets, type Secrets } from '../config/secrets.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/db/embedded/index.ts';
import { migrateDatabase } from '../platform/db/migrate.ts';
import type { Database } from '../platform/db/schema.ts';
import { createLog } from '../platform/log.ts';
import { version } from '../version.ts';

export function readConfig() {
  return loadConfig(readEnvironment({ env: process.env, directory: process.cwd() }), { version });
}

/** Does something with the server's database: of the running server, or started for the moment. */
export async function withDatabase(work: (db: Database, secrets: Secrets) => Promise<void>): Promise<void> {
  const config = readConfig();
  const log = createLog('warn');
  const { dir } = config.data;
  const secrets = await loadSecrets(dir, log);
  const { databasePassword: password } = secrets;
  const running = config.database.url
    ? { url: config.database.url }
    : await findRunningPostgres(dir, password);
  const started = running ? undefined : await startEmbeddedPostgres({ dataDir: dir, password, log });
  const settings = running ?? started?.connection;
  if (!settings) throw new Error('No database was found.');
  const database = connectDatabase(settings, log, 2);
  try {
    await migrateDatabase(database, log);
    await work(database.db, secrets);
  } finally {
    await database.close();
    await started?.stop();
  }
}
