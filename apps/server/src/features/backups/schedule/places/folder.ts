import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isBackupName } from '../../create/name-backup.ts';
import { writeWhole } from '../../create/write-whole.ts';
import type { BackupPlace } from './place.ts';

export function createFolderPlace(folder: string): BackupPlace {
  return {
    async save(name, source, signal) {
      await writeWhole(join(folder, name), source, { signal });
    },
    read: async (name) => createReadStream(join(folder, name)),
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return names.filter(isBackupName).sort();
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
