import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@pult/files';
import type { Engine } from './engine.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import type { InstallDirectory } from './install-directory.ts';
import { readClusterMajor } from './majors.ts';
import { giveTo } from './ownership.ts';
import { dataLinkOf, linkData } from './run-folder.ts';
import { initialSettingsOf } from './settings.ts';
import { startSupervised } from './supervisor.ts';

export const role = 'pult';

/**
 * The C library's locale decides in PostgreSQL 18 what pg_trgm takes for a letter; under plain C it finds none in Cyrillic.
 * Folding and order come from the builtin provider and are the same everywhere.
 */
const characterTypes = ['C.UTF-8', 'en_US.UTF-8', 'ru_RU.UTF-8'];
/** 17 had no other that folds Cyrillic. */
const builtinLocaleOf = (major: string) => (Number(major) >= 18 ? 'PG_UNICODE_FAST' : 'C.UTF-8');

export const draftPrefix = 'postgres.new-';

/** Makes the data directory unless it is there: elsewhere first, then under its name in one step, whole or not at all. */
export async function ensureCluster(
  directory: InstallDirectory,
  { engine, runFolder, password }: { engine: Engine; runFolder: string; password: string },
): Promise<void> {
  await removeDrafts(directory);
  if (await isInitialized(directory)) return takeOver(directory);
  const draft = join(directory.folder, `${draftPrefix}${randomBytes(4).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  await giveTo(directory.account, draft);
  try {
    await linkData(runFolder, draft);
    await initialize(directory, { engine, runFolder, password });
    await rename(draft, directory.cluster);
    await syncFolder(directory.folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function isInitialized({ cluster }: InstallDirectory): Promise<boolean> {
  let names: string[];
  try {
    names = await readdir(cluster);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new EmbeddedDatabaseError(`The database folder ${cluster} cannot be read: ${String(error)}`);
  }
  if (names.length === 0) return false;
  if ((await readClusterMajor(cluster)) === undefined) {
    throw new EmbeddedDatabaseError(
      `The folder ${cluster} is not empty and holds no database. Move it out of the way.`,
    );
  }
  return true;
}

async function removeDrafts({ folder }: InstallDirectory): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(draftPrefix)) continue;
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A backup unpacked by root belongs to root; PostgreSQL must own its files. */
async function takeOver({ cluster, account }: InstallDirectory): Promise<void> {
  if ((await stat(cluster)).uid !== account.uid) await giveTo(account, cluster);
}

async function initialize(
  { account }: InstallDirectory,
  { engine, runFolder, password }: { engine: Engine; runFolder: string; password: string },
): Promise<void> {
  const passwordFile = join(runFolder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(account, passwordFile);
  try {
    for (const characterType of characterTypes) {
      const output: string[] = [];
      const settings = Object.entries(initialSettingsOf(engine.major)).map(
        ([name, value]) => `--set=${name}=${value}`,
      );
      const initdb = startSupervised(
        account,
        [
          join(engine.folder, 'bin', 'initdb'),
          `--pgdata=${dataLinkOf(runFolder)}`,
          `--username=${role}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale-provider=builtin',
          `--builtin-locale=${builtinLocaleOf(engine.major)}`,
          '--locale=C',
          `--lc-ctype=${characterType}`,
          '--text-search-config=simple',
          ...settings,
        ],
        { runFolder, onLine: (line) => output.push(line), graceMs: 1_000 },
      );
      if ((await initdb.ended) === 'status 0') return;
      if (!output.some((line) => line.includes('invalid locale name'))) {
        throw new EmbeddedDatabaseError(`The database could not be made: ${output.join(' ')}`);
      }
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
  throw new EmbeddedDatabaseError(
    `This system has none of the locales ${characterTypes.join(', ')}, without which search finds no Cyrillic. ` +
      'Install one (on Debian: package locales), or set DATABASE_URL.',
  );
}
