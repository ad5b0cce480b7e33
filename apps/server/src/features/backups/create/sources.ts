import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupEntry } from '../format/entry.ts';
import { archivePath, bucketListPath, placeOf, secretsPath } from '../format/paths.ts';

const chunkBytes = 256 * 1024;

export async function* readSecretsFile(dataDir: string): AsyncGenerator<BackupEntry> {
  yield* readFile(join(dataDir, 'secrets.json'), secretsPath);
}

/** Whole archives: what is being written has another name. One that is deleted meanwhile is left out. */
export async function* readArchives(dataDir: string): AsyncGenerator<BackupEntry> {
  const folder = join(dataDir, 'archives');
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names.sort()) {
    const path = archivePath(name);
    if (placeOf(path)) yield* readFile(join(folder, name), path);
  }
}

export async function* listBucket(listArchives: () => Promise<string[]>): AsyncGenerator<BackupEntry> {
  const list = Buffer.from(`${JSON.stringify(await listArchives(), null, 1)}\n`);
  yield {
    path: bucketListPath,
    size: list.length,
    async *read() {
      yield list;
    },
  };
}

async function* readFile(file: string, path: string): AsyncGenerator<BackupEntry> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return;
  try {
    const found = await handle.stat();
    if (!found.isFile()) return;
    const { size } = found;
    const read = () =>
      handle.createReadStream({ autoClose: false, highWaterMark: chunkBytes, ...range(size) });
    yield { path, size, read: size === 0 ? readNothing : read };
  } finally {
    await handle.close();
  }
}

const range = (size: number) => ({ start: 0, end: size - 1 });

async function* readNothing(): AsyncGenerator<Buffer> {}
