import { realpath, rm, stat, writeFile } from 'node:fs/promises';
import { findDatabaseFolder } from '../install-directory.ts';
import type { Log } from '../log.ts';
import { listRetained } from './folders.ts';

const retainForMs = 24 * 3_600_000;

/** Beside the old database: when a server first ran on the new one. */
const markOf = (retained: string) => `${retained}.moved`;

/**
 * Removes databases that were moved to another major version, a day after a server has begun to run on the new one: until then they
 * are the way back. Call it when the server runs. Returns what stops the waiting.
 */
export async function removeRetainedLater({
  dataDir,
  log,
  retainMs = retainForMs,
}: {
  dataDir: string;
  log: Log;
  /** Shorter in tests. */
  retainMs?: number;
}): Promise<() => Promise<void>> {
  const timers: NodeJS.Timeout[] = [];
  let removing = Promise.resolve();
  for (const { path } of await listRetained(await findDatabaseFolder(await realpath(dataDir)))) {
    const ran = await markAsRun(markOf(path));
    const removeIt = async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      await rm(markOf(path), { force: true });
      log.info({ folder: path }, 'the database of the earlier PostgreSQL is removed');
    };
    const leftMs = ran.getTime() + retainMs - Date.now();
    if (leftMs > 0) log.info({ folder: path }, 'the database of the earlier PostgreSQL is kept for a day');
    const remove = () => {
      removing = removing
        .then(removeIt)
        .catch((error: Error) =>
          log.error({ err: error, folder: path }, 'the database of the earlier PostgreSQL cannot be removed'),
        );
    };
    // A clock that was set wrong keeps it no longer than a day from now.
    timers.push(setTimeout(remove, Math.min(Math.max(leftMs, 0), retainMs)).unref());
  }
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    await removing;
  };
}

async function markAsRun(mark: string): Promise<Date> {
  await writeFile(mark, '', { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await stat(mark)).mtime;
}
