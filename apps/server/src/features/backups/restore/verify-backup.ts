import type { Logger } from '../../../platform/log.ts';
import { BackupError } from '../format/entry.ts';
import type { Manifest } from '../format/manifest.ts';
import { type Inspection, inspectDatabase } from './inspect.repository.ts';
import { restoreToScratch } from './scratch.ts';

export interface Verified {
  manifest: Manifest;
  /** Undefined where the backup holds no database. */
  inspection: Inspection | undefined;
}

/** Reads only what the backup's database has, in a scratch folder. For the holder of the lock of backups. */
export async function verifyBackup(
  bytes: AsyncIterable<Buffer>,
  options: { folder: string; version: string; log: Logger; signal: AbortSignal },
): Promise<Verified> {
  return restoreToScratch(bytes, options, async ({ dataDir, manifest, password }) => {
    if (manifest.database === 'external') return { manifest, inspection: undefined };
    const inspection = await inspectDatabase({ dataDir, password, log: options.log, isDurable: false });
    assertSameDatabase(manifest, inspection);
    return { manifest, inspection };
  });
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
