import {
  connectDatabase,
  createLog,
  type Database,
  findRunningPostgres,
  loadSecrets,
} from '@pult/server/testing';

/** Works on the database of the demo whose server runs on that data folder. */
export async function withDemoDatabase(
  dataDir: string,
  work: (db: Database) => Promise<unknown>,
): Promise<void> {
  const log = createLog('warn');
  const { databasePassword } = await loadSecrets(dataDir, log);
  const postgres = await findRunningPostgres(dataDir, databasePassword);
  if (!postgres) throw new Error('the demo’s database does not run');
  const database = connectDatabase(postgres, log, 1);
  try {
    await work(database.db);
  } finally {
    await database.close();
  }
}
