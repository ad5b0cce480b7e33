import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { SupportFile } from './support.ts';

/** One tar.gz for its owner alone, under one folder. Rejects where the file is there already; nothing half is left. */
export async function writeArchive(
  path: string,
  folder: string,
  files: readonly SupportFile[],
): Promise<void> {
  const archive = pack();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const written = pipeline(archive, createGzip(), file);
  written.catch(() => {});
  try {
    for (const { name, text } of files) archive.entry({ name: `${folder}/${name}`, mode: 0o600 }, text);
    archive.finalize();
    await written;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true });
    throw error;
  }
}
