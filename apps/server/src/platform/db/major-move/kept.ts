import { realpath, rm, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '../../log.ts';
import { findDatabaseFolder } from '../embedded/index.ts';
import { listKept } from './folders.ts';

const keptForMs = 24 * 3_600_000;

/** Beside the old database: when a server first ran on the new one. */
const markOf = (kept: string) => `${kept}.moved`;

/**
 * Removes databases that were moved to another major version, a day after a server has begun to run on the new one: until then they
 * are the way back. Call it when the server runs. Returns what stops the waiting.
 */
export async function removeKeptLater({
  dataDir,
  log,
  keptMs = keptForMs,
}: {
  dataDir: string;
  log: Logger;
  /** Shorter in tests. */
  keptMs?: number;
}): Promise<() => Promise<void>> {
  const timers: NodeJS.Timeout[] = [];
  let removing = Promise.resolve();
  for (const { path } of await listKept(await findDatabaseFolder(await realpath(dataDir)))) {
    const ran = await markAsRun(markOf(path));
    const removeIt = async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      await rm(markOf(path), { force: true });
      log.info({ folder: path }, 'the database of the earlier PostgreSQL is removed');
    };
    const leftMs = ran.getTime() + keptMs - Date.now();
    if (leftMs > 0) log.info({ folder: path }, 'the database of the earlier PostgreSQL is kept for a day');
    const remove = () => {
      removing = removing
        .then(removeIt)
        .catch((error: Error) =>
          log.error({ err: error, folder: path }, 'the database of the earlier PostgreSQL cannot be removed'),
        );
    };
    // A clock that was set wrong keeps it no longer than a day from now.
    timers.push(setTimeout(remove, Math.min(Math.max(leftMs, 0), keptMs)).unref());
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
