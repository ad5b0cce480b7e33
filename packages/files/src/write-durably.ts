import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/**
 * Writes a small file for its owner alone. It is there whole or not at all, also after a power cut; a link of its name is
 * replaced, not followed.
 */
export async function writeDurably(
  file: string,
  text: string,
  { onlyIfAbsent = false }: { onlyIfAbsent?: boolean } = {},
): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (onlyIfAbsent) await linkUnlessThere(draft, file);
    else await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(file));
}

async function linkUnlessThere(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    // Another process was first; its file stands.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
