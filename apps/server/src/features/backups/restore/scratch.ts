import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareCluster, removeEmbeddedDatabase } from '@pult/embedded-postgres';
import { readSecrets } from '../../../config/secrets.ts';
import type { Logger } from '../../../platform/log.ts';
import { BackupError } from '../format/entry.ts';
import type { Manifest } from '../format/manifest.ts';
import { assertNotNewer } from './accept.ts';
import { extractBackup, removeAll } from './extract.ts';

export interface Scratch {
  dataDir: string;
  manifest: Manifest;
  /** Of its database. */
  password: string;
}

const scratchPrefix = 'scratch-';

/**
 * Restores a backup into a folder of its own below `folder`, works with its database, which is not started yet, and throws all of it
 * away again. For the holder of the lock of backups.
 */
export async function restoreToScratch<Result>(
  bytes: AsyncIterable<Buffer>,
  options: { folder: string; version: string; log: Logger; signal: AbortSignal },
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const { folder, version, log, signal } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Of one that was killed.
  await Promise.all(
    (await readdir(folder))
      .filter((name) => name.startsWith(scratchPrefix))
      .map((name) => discard(join(folder, name))),
  );
  const dataDir = await mkdtemp(join(folder, scratchPrefix));
  try {
    const cluster = await prepareCluster(dataDir, log);
    const manifest = await extractBackup(
      bytes,
      { folder: dataDir, cluster: cluster.draft },
      { signal, isDurable: false, accept: (header) => assertNotNewer(header, version) },
    );
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new BackupError('The backup holds no secrets.json.');
    if (manifest.database !== 'external') await cluster.settle();
    return await work({ dataDir, manifest, password: secrets.databasePassword });
  } finally {
    await discard(dataDir);
  }
}

async function discard(dataDir: string): Promise<void> {
  await removeEmbeddedDatabase(dataDir);
  await removeAll([dataDir]);
}
