import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { acquireLock, type Lock, LockedError } from '@pult/files';
import { inDataFolder } from '../../platform/data-folder.ts';
import { BackupError } from './format/entry.ts';

const lookAgainMs = 1_000;

/**
 * No two backups of a data folder are made or verified at once. Whoever comes second is told so, or waits with
 * `untilFree` until that fires.
 */
export async function lockBackups(
  dataDir: string,
  { untilFree }: { untilFree?: AbortSignal } = {},
): Promise<Lock> {
  for (;;) {
    try {
      return await inDataFolder(dataDir, () => acquireLock(join(dataDir, 'backup.lock')));
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      if (!untilFree)
        throw new BackupError(`A backup is being made or verified already (process ${error.pid}).`);
    }
    untilFree.throwIfAborted();
    await wait(lookAgainMs, undefined, { signal: untilFree }).catch(() => {});
    untilFree.throwIfAborted();
  }
}
