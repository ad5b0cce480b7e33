import { type Database, openDatabase } from '@pult/server/database';

/** Works on the database of the demo whose server runs on that data folder. */
export async function withDemoDatabase(
  dataDir: string,
  work: (db: Database) => Promise<unknown>,
): Promise<void> {
  const database = await openDatabase(dataDir);
  try {
    await work(database.db);
  } finally {
    await database.close();
  }
}
