import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { giveTo } from './ownership.ts';

/**
 * The short-lived folder of one server: the socket, and links to the data and the libraries. It is under /tmp whatever
 * TMPDIR says, because a socket's path has 107 bytes (unix(7)), and random, because a name in /tmp that others can guess
 * can be taken by them first. PostgreSQL gets its data by the link here, so quotes, spaces and long paths never reach it.
 */
const prefix = '/tmp/pult-';
const pattern = /^\/tmp\/pult-[A-Za-z0-9]{6}$/;

/** In the install directory; names the run folder, to find a running database and to clean up after kill -9. */
const recordOf = (directory: string) => join(directory, 'postgres.run');

export const dataLinkOf = (runFolder: string) => join(runFolder, 'data');
export const librariesOf = (runFolder: string) => join(runFolder, 'lib');

export async function createRunFolder(directory: string, account: Account): Promise<string> {
  const folder = await mkdtemp(prefix);
  await giveTo(account, folder);
  const draft = `${recordOf(directory)}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, folder, { mode: 0o600 });
  await rename(draft, recordOf(directory));
  return folder;
}

/** Makes it again when a cleaner of /tmp has taken it away; a stranger's folder in its place is not used. */
export async function ensureRunFolder(folder: string, account: Account): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await giveTo(account, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await stat(folder);
    if (found.uid !== account.uid || (found.mode & 0o077) !== 0) {
      throw new Error(`the folder ${folder} was replaced by someone else`);
    }
  }
}

export async function linkData(folder: string, target: string): Promise<void> {
  await rm(dataLinkOf(folder), { force: true });
  await symlink(target, dataLinkOf(folder));
}

/** The run folder of the database in `directory`, whether it still runs or not. */
export async function readRunFolder(directory: string): Promise<string | undefined> {
  const folder = await readFile(recordOf(directory), 'utf8').catch(() => '');
  return pattern.test(folder) ? folder : undefined;
}

/** Removes what a killed server left. Only for the holder of the lock, after the leftover processes are gone. */
export async function removeRunFolder(directory: string, account: Account): Promise<void> {
  const folder = await readRunFolder(directory);
  if (folder !== undefined) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.uid === account.uid) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  await rm(recordOf(directory), { force: true });
}
