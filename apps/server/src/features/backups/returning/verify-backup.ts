import { mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecrets } from '../../../config/secrets.ts';
import { prepareCluster, removeEmbeddedDatabase } from '../../../platform/db/embedded/index.ts';
import type { Logger } from '../../../platform/log.ts';
import { BackupError } from '../format/entry.ts';
import type { Manifest } from '../format/manifest.ts';
import { assertNotNewer } from './accept.ts';
import { extractBackup, removeAll } from './extract.ts';
import { type Inspection, inspectDatabase } from './inspect.repository.ts';

export interface Verified {
  manifest: Manifest;
  /** Undefined where the backup holds no database. */
  inspection: Inspection | undefined;
}

const scratchPrefix = 'scratch-';

/**
 * Restores a backup into a folder of its own below `folder`, starts its database there and throws all of it away again. For the
 * holder of the lock of backups.
 */
export async function verifyBackup(
  bytes: AsyncIterable<Buffer>,
  options: { folder: string; version: string; log: Logger; signal: AbortSignal },
): Promise<Verified> {
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
    if (manifest.database === 'external') return { manifest, inspection: undefined };
    await cluster.settle();
    const inspection = await inspectDatabase({
      dataDir,
      password: secrets.databasePassword,
      log,
      isDurable: false,
    });
    assertSameDatabase(manifest, inspection);
    return { manifest, inspection };
  } finally {
    await discard(dataDir);
  }
}

/** What there was at the end of the backup or shortly before. People go on meanwhile: none at all is another thing than one less. */
export function assertSameDatabase(manifest: Manifest, { schema, counts }: Inspection): void {
  if (manifest.schema !== schema) {
    throw new BackupError(
      `The database has the schema ${schema}, and the backup was made of ${manifest.schema}.`,
    );
  }
  for (const [table, rows] of Object.entries(manifest.counts ?? {})) {
    if (rows > 0 && !counts[table])
      throw new BackupError(`The table ${table} is empty and had ${rows} rows.`);
  }
}

async function discard(dataDir: string): Promise<void> {
  await removeEmbeddedDatabase(dataDir);
  await removeAll([dataDir]);
}
