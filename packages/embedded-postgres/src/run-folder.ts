import { randomBytes } from 'node:crypto';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findOut, type ProcessIdentity, readOwnIdentity } from '@pult/files';
import type { Account } from './account.ts';
import { findLeftovers } from './leftovers.ts';
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
/** Which server made the folder. */
const ownerOf = (runFolder: string) => join(runFolder, 'owner');
export const librariesOf = (runFolder: string) => join(runFolder, 'lib');

export async function createRunFolder(directory: string, account: Account): Promise<string> {
  const folder = await mkdtemp(prefix);
  await claim(folder, account);
  const draft = `${recordOf(directory)}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, folder, { mode: 0o600 });
  await rename(draft, recordOf(directory));
  return folder;
}

async function claim(folder: string, account: Account): Promise<void> {
  await writeFile(ownerOf(folder), JSON.stringify(await readOwnIdentity()), { mode: 0o600 });
  await giveTo(account, folder);
}

/** Makes it again when a cleaner of /tmp has taken it away; a stranger's folder in its place is not used. */
export async function ensureRunFolder(folder: string, account: Account): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await claim(folder, account);
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

/**
 * Removes what killed servers left whose data folder was never started again, and so never cleaned up after: folders of
 * this account whose server is dead and in whose data no PostgreSQL works.
 */
export async function removeAbandonedFolders(account: Account): Promise<void> {
  for (const name of await readdir(dirname(prefix))) {
    const folder = join(dirname(prefix), name);
    if (!pattern.test(folder)) continue;
    const found = await lstat(folder).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== account.uid) continue;
    if (!(await isAbandoned(folder))) continue;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const text = await readFile(ownerOf(folder), 'utf8').catch(() => '');
  // One that is being made has not got it yet.
  if (text === '') return false;
  const owner = JSON.parse(text) as ProcessIdentity;
  const { bootId } = await readOwnIdentity();
  if (owner.bootId === bootId && (await findOut(owner)) !== 'dead') return false;
  return (await findLeftovers(dataLinkOf(folder))).length === 0;
}
