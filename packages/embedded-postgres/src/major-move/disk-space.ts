import { measureDisk } from '@pult/files';
import { EmbeddedDatabaseError } from '../errors.ts';

const mebibyte = 2 ** 20;
/** The log of the new database, and what a server wants besides. */
const besidesBytes = 384 * mebibyte;
/** Reckoned for a machine that does nothing else; docs/performance.md has what was measured on a busy one. */
const bytesPerSecond = 10 * mebibyte;

/** What a move takes, by the size of the database. */
export const estimateMove = (databaseBytes: number) => ({
  neededBytes: Math.ceil(databaseBytes * 1.1) + besidesBytes,
  milliseconds: 5_000 + (databaseBytes / bytesPerSecond) * 1_000,
});

/** Throws where there is no room for a second database beside the first. */
export async function assertRoomForMove(folder: string, databaseBytes: number): Promise<void> {
  const { neededBytes } = estimateMove(databaseBytes);
  const { availableBytes } = await measureDisk(folder);
  if (availableBytes >= neededBytes) return;
  const toMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  throw new EmbeddedDatabaseError(
    `There is too little room in ${folder} to move the database to another version of PostgreSQL: ${toMegabytes(availableBytes)} are free, ` +
      `and ${toMegabytes(neededBytes)} are wanted beside the old one. Nothing was changed. Make room and start again.`,
  );
}
