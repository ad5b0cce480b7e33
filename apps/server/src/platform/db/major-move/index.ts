import { realpath } from 'node:fs/promises';
import type { Logger } from '../../log.ts';
import { findDatabaseFolder } from '../embedded/index.ts';
import type { CopyOut } from './copy-out.ts';
import { isMoveDue } from './folders.ts';

export { keptOf } from './folders.ts';
export { removeKeptLater } from './kept.ts';
export { estimateMove } from './room.ts';

/**
 * Moves the embedded database of a data folder to the major version of PostgreSQL that this version runs, or brings such a move to its
 * end; nearly always there is nothing to do. Whenever it is killed, the next call goes on or begins anew, and the old database is as it was
 * until the new one is whole. For the holder of the data folder.
 */
export async function moveFormerDatabase(options: {
  dataDir: string;
  /** Of the database. */
  password: string;
  log: Logger;
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
