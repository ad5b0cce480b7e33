import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './errors.ts';
import type { Log } from './log.ts';

interface Leftover {
  readonly pid: number;
  readonly parent: number;
}

const stages = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/**
 * Stops PostgreSQL processes that still work in `cluster` after their server was killed, and removes a stale
 * postmaster.pid. Only for the holder of the lock. A process counts when it is named postgres and its working directory is
 * this very folder (device and inode): pid files are not trusted, because their pid may be a stranger's by now.
 */
export async function stopLeftovers(cluster: string, log: Pick<Log, 'warn'>): Promise<void> {
  let found = await findLeftovers(cluster);
  if (found.length > 0)
    log.warn({ pids: found.map(({ pid }) => pid) }, 'stopping a database left by a killed server');
  for (const { signal, waitMs } of stages) {
    if (found.length === 0) break;
    signalTop(found, signal);
    found = await waitUntilGone(cluster, waitMs);
  }
  if (found.length > 0) {
    throw new EmbeddedDatabaseError(
      `An earlier PostgreSQL (process ${found[0]?.pid}) still uses ${cluster} and cannot be stopped.`,
    );
  }
  // PostgreSQL would take any live process with that pid for its predecessor and refuse to start.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** A postmaster stops its children itself; children without one are told directly. */
function signalTop(found: readonly Leftover[], signal: NodeJS.Signals): void {
  const pids = new Set(found.map(({ pid }) => pid));
  for (const { pid, parent } of found) {
    if (pids.has(parent) && signal !== 'SIGKILL') continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function waitUntilGone(cluster: string, waitMs: number): Promise<Leftover[]> {
  for (let waited = 0; waited < waitMs; waited += 50) {
    await wait(50);
    const found = await findLeftovers(cluster);
    if (found.length === 0) return found;
  }
  return findLeftovers(cluster);
}

/** Processes named postgres that work in the folder `cluster`. */
export async function findLeftovers(cluster: string): Promise<Leftover[]> {
  const folder = await stat(cluster).catch(() => undefined);
  if (folder === undefined) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<Leftover | undefined> => {
      try {
        const line = await readFile(`/proc/${pid}/stat`, 'latin1');
        if (!line.includes('(postgres)')) return undefined;
        const cwd = await stat(`/proc/${pid}/cwd`);
        if (cwd.dev !== folder.dev || cwd.ino !== folder.ino) return undefined;
        const [, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
        return { pid: Number(pid), parent: Number(parent) };
      } catch {
        // Ended meanwhile, a zombie, or another user's: none of ours.
        return undefined;
      }
    }),
  );
  return found.filter((process) => process !== undefined);
}
