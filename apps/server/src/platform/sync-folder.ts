import { open } from 'node:fs/promises';

/** A file that was made or renamed outlives a power cut only when its folder has reached the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
