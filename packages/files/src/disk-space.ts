import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface DiskSpace {
  bytes: number;
  /** Of these, what may still be written by a program without special rights. */
  availableBytes: number;
  /** 0 on file systems that do not count them. */
  files: number;
  availableFiles: number;
}

/** Of the file system on which that folder is, or is to be made. */
export async function measureDisk(folder: string): Promise<DiskSpace> {
  const found = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return undefined;
  });
  if (!found) return measureDisk(dirname(folder));
  const { bsize, blocks, bavail, files, ffree } = found;
  return { bytes: blocks * bsize, availableBytes: bavail * bsize, files, availableFiles: ffree };
}
