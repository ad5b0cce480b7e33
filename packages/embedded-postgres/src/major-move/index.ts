import { realpath } from 'node:fs/promises';
import { findDatabaseFolder } from '../install-directory.ts';
import type { Log } from '../log.ts';
import type { CopyOut } from './copy-out.ts';
import type { Schema } from './copy-rows.ts';
import { isMoveDue } from './folders.ts';

export type { Schema } from './copy-rows.ts';
export { estimateMove } from './disk-space.ts';
export { retainedOf } from './folders.ts';
export { removeRetainedLater } from './retained.ts';

/**
 * Moves the embedded database of a data folder to the major version of PostgreSQL that this version runs, or brings such a move to its
 * end; nearly always there is nothing to do. Whenever it is killed, the next call goes on or begins anew, and the old database is as it was
 * until the new one is whole. For the holder of the data folder.
 */
export async function moveFormerDatabase(options: {
  dataDir: string;
  /** Of the database. */
  password: string;
  schema: Schema;
  log: Log;
}): Promise<void> {
  const folder = await findDatabaseFolder(await realpath(options.dataDir));
  if (!(await isMoveDue(folder))) return;
  const { moveDatabase } = await import('./move.ts');
  await moveDatabase({ ...options, folder });
}

/**
 * Copies the embedded database of a data folder into another one, which may be of another version, and compares all rows. The embedded
 * one stays as it is. Rejects with `EmbeddedDatabaseError` or the database's own error.
 */
export async function copyDatabaseOut(options: CopyOut): Promise<{ tables: number; rows: number }> {
  const { copyOut } = await import('./copy-out.ts');
  return copyOut(options);
}
