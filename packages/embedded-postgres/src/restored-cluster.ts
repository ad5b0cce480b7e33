import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@pult/files';
import { draftPrefix } from './cluster.ts';
import { clusterFolders, completeCluster } from './cluster-files.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { findInstallDirectory, systemFolder } from './install-directory.ts';
import type { Log } from './log.ts';
import { giveTo } from './ownership.ts';

export interface RestoredCluster {
  /** Where the files of the backup go; the next start removes it unless it was settled. */
  readonly draft: string;
  /** Makes of them the database of the data folder, in one step. */
  settle(): Promise<void>;
}

/** A place for a database that is restored. The data folder exists and has none. */
export async function prepareCluster(
  dataDir: string,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<RestoredCluster> {
  const directory = await findInstallDirectory(dataDir, { system: systemFolder, log });
  const draft = join(directory.folder, `${draftPrefix}${randomBytes(4).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  for (const folder of clusterFolders) await mkdir(join(draft, folder), { recursive: true, mode: 0o700 });
  return {
    draft,
    async settle() {
      await completeCluster(draft);
      await giveTo(directory.account, draft);
      await rename(draft, directory.cluster).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
        throw new EmbeddedDatabaseError(`There is a database in ${directory.cluster} already.`);
      });
      await syncFolder(directory.folder);
    },
  };
}

/**
 * For a database that strangers may have written: it listens to nobody but us, and neither asks nor runs anything of its own. What a
 * role or a database of it sets is below `quietSession`.
 */
export const quietSettings: Readonly<Record<string, string>> = {
  archive_mode: 'off',
  archive_command: '',
  restore_command: '',
  primary_conninfo: '',
  shared_preload_libraries: '',
  session_preload_libraries: '',
  local_preload_libraries: '',
  max_logical_replication_workers: '0',
  max_wal_senders: '0',
  max_worker_processes: '0',
  autovacuum: 'off',
  jit: 'off',
  event_triggers: 'off',
  // Whoever started it waits for it, and nobody else is served.
  shared_buffers: '32MB',
};

/** Options of each connection to it. */
export const quietSession = [
  'session_preload_libraries=',
  'local_preload_libraries=',
  'search_path=public',
  'event_triggers=off',
  'jit=off',
  'default_transaction_read_only=on',
  // As pg_dump reads what it does not trust: views and foreign tables run what somebody has written, and policies do.
  'restrict_nonsystem_relation_kind=view,foreign-table',
  'row_security=off',
  'statement_timeout=0',
  'enable_indexonlyscan=off',
  'enable_indexscan=off',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');
