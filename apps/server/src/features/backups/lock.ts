import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock, type Lock, LockedError } from '../../platform/lock/index.ts';
import { BackupError } from './format/entry.ts';

/** No two backups of a data folder are made or verified at once. */
export async function lockBackups(dataDir: string): Promise<Lock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    return await acquireLock(join(dataDir, 'backup.lock'));
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new BackupError(`A backup is being made or verified already (process ${error.pid}).`);
  }
}
