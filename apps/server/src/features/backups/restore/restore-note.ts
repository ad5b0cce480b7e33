import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** A folder in DATA_DIR as long as a restore has not come to its end. */
export const unfinishedRestore = 'restoring';
/** What a restore leaves in DATA_DIR for the first start. */
export const restoreNote = 'restored.json';

const note = z.object({ endedAt: z.iso.datetime() });

/** Throws where a restore was killed: what is there is a part of a data folder. */
export async function assertNoUnfinishedRestore(dataDir: string): Promise<void> {
  const isThere = await access(join(dataDir, unfinishedRestore)).then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  throw new Error(`A restore into ${dataDir} has not come to its end. Run it again: it begins anew.`);
}

/** When the backup ended out of which this data folder was made; undefined where it was not, or a server has run on it since. */
export async function readRestoreNote(dataDir: string): Promise<Date | undefined> {
  const text = await readFile(join(dataDir, restoreNote), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return text === undefined ? undefined : new Date(note.parse(JSON.parse(text)).endedAt);
}

export const removeRestoreNote = (dataDir: string) => rm(join(dataDir, restoreNote), { force: true });
