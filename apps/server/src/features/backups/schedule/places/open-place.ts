import type { Config } from '../../../../config/config.ts';
import { createFolderPlace } from './folder.ts';
import type { BackupPlace } from './place.ts';

/** Where scheduled backups go. */
export async function openBackupPlace({ backups }: Pick<Config, 'backups'>): Promise<BackupPlace> {
  if (!backups.s3) return createFolderPlace(backups.dir);
  // Loaded only where it is used: it is large.
  const { createBucketPlace } = await import('./bucket.ts');
  return createBucketPlace(backups.s3);
}
