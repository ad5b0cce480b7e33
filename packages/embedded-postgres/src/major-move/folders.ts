import { access, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, syncTree } from '@pult/files';
import { endAbandoned } from '../embedded-postgres.ts';
import { EmbeddedDatabaseError } from '../errors.ts';
import type { Log } from '../log.ts';
import { currentMajor, formerMajors, readClusterMajor } from '../majors.ts';

/*
 * A move is three renames at its end, each of which leaves what a start goes on from:
 *
 *   postgres (17)   postgres.moving/postgres (18, half)          begun anew
 *   postgres (17)   postgres.moved (18, whole)                   goes on
 *                   postgres.moved (18, whole)   postgres-17     goes on
 *   postgres (18)                                postgres-17     done
 */

const clusterOf = (folder: string) => join(folder, 'postgres');
const movedOf = (folder: string) => join(folder, 'postgres.moved');

/** The data folder of the new database while it is filled. */
export const movingOf = (folder: string) => join(folder, 'postgres.moving');
/** The database that was moved. */
export const retainedOf = (folder: string, major: string) => join(folder, `postgres-${major}`);

/** Whether a start has something to do about another major version; cheap, for every start asks. */
export async function isMoveDue(folder: string): Promise<boolean> {
  const major = await readClusterMajor(clusterOf(folder));
  if (major !== undefined && major !== currentMajor && formerMajors.includes(major)) return true;
  return (await exists(movedOf(folder))) || exists(movingOf(folder));
}

/** Takes away what a move has left that was killed. */
export async function discardUnfinished(folder: string, log: Pick<Log, 'warn'>): Promise<void> {
  const moving = movingOf(folder);
  if (!(await exists(moving))) return;
  await endAbandoned(moving, log);
  await rm(moving, { recursive: true, force: true, maxRetries: 5 });
}

/** Says that the new database is whole: from here on it takes the place of the old one, whatever happens. */
export async function declareWhole(folder: string): Promise<void> {
  const moving = movingOf(folder);
  await syncTree(clusterOf(moving));
  await rename(clusterOf(moving), movedOf(folder));
  await syncFolder(folder);
  await rm(moving, { recursive: true, force: true, maxRetries: 5 });
}

/** Puts a new database that is whole in the place of the old one, from wherever an earlier start has come. Returns whether there was one. */
export async function finishRenames(folder: string): Promise<boolean> {
  const [cluster, moved] = [clusterOf(folder), movedOf(folder)];
  if (!(await exists(moved))) return false;
  const major = await readClusterMajor(cluster);
  if (major !== undefined) {
    await assertCanRename(folder, major);
    await rename(cluster, retainedOf(folder, major));
    await syncFolder(folder);
  }
  await rename(moved, cluster);
  await syncFolder(folder);
  return true;
}

/** Throws where the names cannot be changed at the end: asked before the work, too. */
export async function assertCanRename(folder: string, major: string): Promise<void> {
  const [cluster, retained] = [clusterOf(folder), retainedOf(folder, major)];
  if (await exists(retained)) {
    throw new EmbeddedDatabaseError(
      `The database of PostgreSQL ${major} cannot be moved: there is ${retained} already, of an earlier move. Move it out of the way, or remove it.`,
    );
  }
  if ((await stat(cluster)).dev !== (await stat(folder)).dev) {
    throw new EmbeddedDatabaseError(
      `The database of PostgreSQL ${major} cannot be moved: ${cluster} is on another file system than ${folder}. ` +
        'Stop the server, put its files into the folder itself, and start again.',
    );
  }
}

/** Databases that were moved and are still there. */
export async function listRetained(folder: string): Promise<{ major: string; path: string }[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const majors = names.flatMap((name) => /^postgres-(\d+)$/.exec(name)?.[1] ?? []);
  return majors.map((major) => ({ major, path: retainedOf(folder, major) }));
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
