import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { syncFolder } from '@pult/files';
import { BackupError } from '../format/entry.ts';

/** What is being written has this at its end, and no backup has. */
export const draftSuffix = '.part';

/**
 * Writes a file that only its owner can read, and that bears its name only when all of it is on the disk. Throws where the name is
 * taken. `onWrite` is told how many bytes there are.
 */
export async function writeWhole(
  file: string,
  source: AsyncIterable<Uint8Array>,
  { signal, onWrite }: { signal: AbortSignal; onWrite?: (bytes: number) => void },
): Promise<number> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}${draftSuffix}`;
  // Of a backup that was killed; a name that somebody has put there to lead us elsewhere goes as well.
  await rm(draft, { force: true });
  let size = 0;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      for await (const chunk of source) {
        signal.throwIfAborted();
        await handle.writeFile(chunk);
        size += chunk.length;
        onWrite?.(size);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await giveName(draft, file);
    await syncFolder(dirname(file));
    return size;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** By a link, which takes no name that is taken; by renaming where the file system has none. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
    await rm(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new BackupError(`There is a file ${basename(file)} already.`);
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'EMLINK') throw error;
    await rename(draft, file);
  }
}
