import { createHash, randomBytes } from 'node:crypto';
import { access, chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, chooseAccount } from './account.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import type { Log } from './log.ts';
import { canEnter } from './run-as.ts';

/** Where the database lives and who may open it. */
export interface InstallDirectory {
  /** DATA_DIR, or a folder of ours under /var/lib/pult. */
  readonly folder: string;
  /** PostgreSQL's data directory inside it. */
  readonly cluster: string;
  readonly account: Account;
}

export const systemFolder = '/var/lib/pult';

const pointerOf = (dataDir: string) => join(dataDir, 'postgres.location');
const ownerOf = (directory: string) => join(directory, 'owner');
const clusterOf = (directory: string) => join(directory, 'postgres');

/**
 * Finds or chooses the directory for the database of `dataDir` (which exists). It is the data folder itself, unless we are
 * root and the database's user cannot get there; then it is `<system>/<hash>`, and a pointer in the data folder says so.
 */
export async function findInstallDirectory(
  dataDir: string,
  { system, log }: { system: string; log: Pick<Log, 'info' | 'warn'> },
): Promise<InstallDirectory> {
  const folder = await realpath(dataDir);
  const pointed = await readPointedDirectory(folder);
  if (pointed !== undefined) {
    await assertNotCopied(folder, pointed);
    return openDirectory(pointed);
  }
  const here = await openDirectory(folder);
  if (!here.account.switchTo || (await canReach(here.account, folder))) return here;
  if (await exists(here.cluster)) {
    throw new EmbeddedDatabaseError(
      `The user ${here.account.name}, who runs PostgreSQL, cannot enter ${folder}. ` +
        'Let others pass through the folders above it (chmod o+x), or move the data folder.',
    );
  }
  return settleElsewhere(folder, system, log);
}

/** Where the pointer of a data folder leads, if it has one. */
export async function readPointedDirectory(dataDir: string): Promise<string | undefined> {
  const content = await readFile(pointerOf(dataDir), 'utf8').catch(ignoreMissing);
  return content?.trim() || undefined;
}

const openDirectory = async (folder: string): Promise<InstallDirectory> => {
  const cluster = clusterOf(folder);
  return { folder, cluster, account: await chooseAccount(cluster) };
};

/** Our own folder may let others pass through (not list it): its secrets are files only their owner can read. */
async function canReach(account: Account, folder: string): Promise<boolean> {
  if (await canEnter(account, folder)) return true;
  const found = await stat(folder);
  if (found.uid !== process.getuid?.() || (found.mode & 0o001) !== 0) return false;
  await chmod(folder, (found.mode & 0o777) | 0o011);
  if (await canEnter(account, folder)) return true;
  await chmod(folder, found.mode & 0o777);
  return false;
}

async function settleElsewhere(
  dataDir: string,
  system: string,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<InstallDirectory> {
  // The umask may have taken away what others need to pass.
  if ((await mkdir(system, { recursive: true })) !== undefined) await chmod(system, 0o755);
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  for (let attempt = 1; ; attempt++) {
    const folder = join(system, attempt === 1 ? hash : `${hash}-${attempt}`);
    if (await exists(clusterOf(folder))) {
      // A data folder that was deleted and begun anew: the old database has other secrets, and is not ours to delete.
      log.warn(
        { folder },
        'an earlier database of this data folder is still there; remove it if nobody needs it',
      );
      continue;
    }
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const directory = await openDirectory(folder);
    if (!(await canReach(directory.account, folder))) {
      throw new EmbeddedDatabaseError(
        `The user ${directory.account.name}, who runs PostgreSQL, can enter neither ${dataDir} nor ${folder}. ` +
          'Let others pass through the folders above one of them (chmod o+x), or set DATABASE_URL.',
      );
    }
    await writeWhole(ownerOf(folder), dataDir);
    await writeWhole(pointerOf(dataDir), folder);
    log.info({ folder }, 'the database is kept outside the data folder, which its user cannot enter');
    return directory;
  }
}

/** Copying a data folder copies the pointer but not the database; two servers must not share it. A moved one is fine. */
async function assertNotCopied(dataDir: string, directory: string): Promise<void> {
  const owner = await readFile(ownerOf(directory), 'utf8').catch(ignoreMissing);
  if (owner === undefined) {
    throw new EmbeddedDatabaseError(
      `The database of ${dataDir} should be in ${directory} (so says ${pointerOf(dataDir)}), but it is not there. ` +
        'Restore that folder too.',
    );
  }
  if (owner === dataDir) return;
  if ((await readPointedDirectory(owner)) === directory) {
    throw new EmbeddedDatabaseError(
      `The folder ${dataDir} is a copy of ${owner}, and its database is not in it but in ${directory}, which ${owner} uses. ` +
        `Delete ${pointerOf(dataDir)} and secrets.json to begin with an empty database, or restore a backup.`,
    );
  }
  await writeWhole(ownerOf(directory), dataDir);
}

/** The folder that has, or will have, the database of a data folder and what belongs to it. */
export const findDatabaseFolder = async (dataDir: string) => (await readPointedDirectory(dataDir)) ?? dataDir;

/** PostgreSQL's data directory of a data folder, wherever it lives; undefined where there is none. */
export async function findCluster(dataDir: string): Promise<string | undefined> {
  const cluster = clusterOf(await findDatabaseFolder(dataDir));
  return (await exists(join(cluster, 'PG_VERSION'))) ? cluster : undefined;
}

async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, file);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Deletes the database of a data folder that is not in use, wherever it lives; the data folder itself stays. */
export async function removeEmbeddedDatabase(dataDir: string): Promise<void> {
  const folder = await realpath(dataDir);
  const pointed = await readPointedDirectory(folder);
  if (pointed !== undefined && (await readFile(ownerOf(pointed), 'utf8').catch(ignoreMissing)) === folder) {
    await rm(pointed, { recursive: true, force: true });
  }
  await rm(clusterOf(folder), { recursive: true, force: true });
  await rm(pointerOf(folder), { force: true });
}
