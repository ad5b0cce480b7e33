import { beginBaseBackup, findCluster, reachPostgres } from '@pult/embedded-postgres';
import type { Config } from '../../../config/config.ts';
import type { Secrets } from '../../../config/secrets.ts';
import type { Logger } from '../../../platform/log.ts';
import { createArchiveStore } from '../../diagnostics/index.ts';
import { BackupError } from '../format/entry.ts';
import type { BackupSource } from './create-backup.ts';

/** What a server keeps, as its settings say; its embedded database is started for the moment where it does not run. */
export async function openBackupSource(options: {
  config: Config;
  secrets: Secrets;
  version: string;
  log: Logger;
}): Promise<{ source: BackupSource; close(): Promise<void> }> {
  const { config, secrets, version, log } = options;
  const { dir: dataDir } = config.data;
  const { s3 } = config.diagnostics;
  const listArchives = s3 && (async () => (await createArchiveStore({ dataDir, s3 })).list());
  const source = { dataDir, version, listArchives };
  if (config.database.url !== undefined) {
    return { source: { ...source, beginDatabase: undefined }, close: async () => {} };
  }
  const cluster = await findCluster(dataDir);
  if (cluster === undefined) throw new BackupError(`There is no database in ${dataDir}.`);
  const { connection, stop } = await reachPostgres({ dataDir, password: secrets.databasePassword, log });
  return {
    source: { ...source, beginDatabase: (signal) => beginBaseBackup({ connection, cluster, signal }) },
    close: stop,
  };
}
