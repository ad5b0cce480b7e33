import { join } from 'node:path';
import type { S3Settings } from '../../../platform/s3-client.ts';
import type { ArchiveStore } from './archive-store.ts';
import { createFolderStore } from './folder-store.ts';

export { ArchiveError, type ArchiveStore } from './archive-store.ts';

/** Archives in a bucket where one is set, otherwise in the data folder. */
export async function createArchiveStore(options: {
  dataDir: string;
  s3: S3Settings | undefined;
}): Promise<ArchiveStore> {
  if (!options.s3) return createFolderStore(join(options.dataDir, 'archives'));
  // Loaded only where it is used: it is large.
  const { createS3Store } = await import('./s3-store.ts');
  return createS3Store(options.s3);
}
