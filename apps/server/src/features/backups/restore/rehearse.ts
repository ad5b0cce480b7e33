import { quietSession, quietSettings, startEmbeddedPostgres } from '@pult/embedded-postgres';
import { connectDatabase } from '../../../platform/db/connect.ts';
import { moveFormerDatabase } from '../../../platform/db/major-move/index.ts';
import {
  assertReadable,
  type MigrationTime,
  measureMigrations,
  readSchemaState,
} from '../../../platform/db/migrate.ts';
import type { Logger } from '../../../platform/log.ts';
import { BackupError } from '../format/entry.ts';
import { restoreToScratch } from './scratch.ts';

export interface Rehearsal {
  /** Until the database of the backup could be started, moved where it is of an earlier major version of PostgreSQL. */
  restoredInMs: number;
  migrations: MigrationTime[];
}

/** As `quietSession`, which only reads, but for what a migration does. */
const writingSession = `${quietSession} -c default_transaction_read_only=off -c enable_indexscan=on -c enable_indexonlyscan=on`;

/** Does in a scratch folder what a start of this version would do with the database of a backup, and says how long it took. */
export async function rehearseMigrations(
  bytes: AsyncIterable<Buffer>,
  options: { folder: string; version: string; log: Logger; signal: AbortSignal },
): Promise<Rehearsal> {
  const startedAt = performance.now();
  return restoreToScratch(bytes, options, async ({ dataDir, manifest, password }) => {
    if (manifest.database === 'external')
      throw new BackupError('it holds no database, which is that of DATABASE_URL');
    const { log, version } = options;
    await moveFormerDatabase({ dataDir, password, log });
    const postgres = await startEmbeddedPostgres({
      dataDir,
      password,
      log,
      settings: quietSettings,
      sessionOptions: writingSession,
      restartPausesMs: [],
    });
    const restoredInMs = performance.now() - startedAt;
    try {
      const database = connectDatabase(postgres.connection, log, 1);
      try {
        assertReadable(await readSchemaState(database.db), version);
        return { restoredInMs, migrations: await measureMigrations(database) };
      } finally {
        await database.close();
      }
    } finally {
      await postgres.stop();
    }
  });
}
