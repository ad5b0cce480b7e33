import { randomFillSync } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type DiskSpace, measureDisk, syncFolder } from '@pult/files';
import type { Log } from './log.ts';

/** PostgreSQL comes back from a crash with far less, and then has the rest of it to take to its end what was begun. */
const reserveBytes = 64 * 2 ** 20;
const chunkBytes = 2 ** 20;

/** Beside the log, which may be a link to another disk: it is of a full log that PostgreSQL dies. */
const reserveOf = async (cluster: string) =>
  join(dirname(await realpath(join(cluster, 'pg_wal'))), 'pult.reserve');
const draftOf = (reserve: string) => `${reserve}.new`;

/** The room that the database of this data directory has: that of its files or that of its log, whichever is less. */
export async function measureClusterRoom(cluster: string): Promise<DiskSpace> {
  const [files, log] = await Promise.all([measureDisk(cluster), measureDisk(join(cluster, 'pg_wal'))]);
  return log.availableBytes < files.availableBytes ? log : files;
}

/** Makes the file that is given up where the disk is full, unless it is there. Throws what the file system says. */
export async function keepReserve(cluster: string): Promise<void> {
  const reserve = await reserveOf(cluster);
  const found = await stat(reserve).catch(ignoreMissing);
  if (found?.size === reserveBytes) return;
  const draft = draftOf(reserve);
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      for (let written = 0; written < reserveBytes; written += chunkBytes) {
        // A file system that compresses would keep no room for zeros.
        await handle.writeFile(randomFillSync(chunk));
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, reserve);
    await syncFolder(dirname(reserve));
  } catch (error) {
    await rm(draft, { force: true });
    // It was given up meanwhile, and is made at the next look.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Gives the reserve up where the database could not start for want of room. */
export async function yieldReserve(cluster: string, log: Pick<Log, 'warn'>): Promise<void> {
  const { availableBytes } = await measureDisk(join(cluster, 'pg_wal'));
  if (availableBytes >= reserveBytes) return;
  const reserve = await reserveOf(cluster);
  await rm(draftOf(reserve), { force: true });
  const found = await stat(reserve).catch(ignoreMissing);
  if (!found) return;
  await rm(reserve, { force: true });
  log.warn({ availableBytes, givenUp: found.size }, 'the disk is full: its reserve is given to the database');
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
