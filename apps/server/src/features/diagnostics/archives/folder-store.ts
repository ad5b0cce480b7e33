import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@pult/files';
import {
  ArchiveError,
  type ArchiveStore,
  assertArchiveName,
  isArchiveName,
  watchSource,
} from './archive-store.ts';

/** Files that only the server's user can read. */
export function createFolderStore(folder: string): ArchiveStore {
  const pathOf = (name: string) => {
    assertArchiveName(name);
    return join(folder, name);
  };
  /** What is being written; a name of its own, so that no half of an archive is ever taken for one. */
  const partOf = (name: string) => `${pathOf(name)}.part`;

  return {
    async save(name, source) {
      const [path, part] = [pathOf(name), partOf(name)];
      const getSourceFailure = watchSource(source);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // A part of the same name is left of a server that was killed.
        const file = await open(part, 'w', 0o600);
        try {
          await writeFile(file, source);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
        await syncFolder(folder);
      } catch (error) {
        source.destroy();
        // Where even this fails there is nothing to remove, or the disk is gone.
        await Promise.allSettled([part, path].map((each) => rm(each, { force: true })));
        throw getSourceFailure() ?? toArchiveError(error);
      }
    },

    async read(name, range) {
      const file = await open(pathOf(name), 'r').catch((error: unknown) => {
        throw toArchiveError(error);
      });
      return file.createReadStream(range ? { start: range.start, end: range.end } : {});
    },

    async remove(name) {
      await Promise.all([pathOf(name), partOf(name)].map((path) => rm(path, { force: true })));
    },

    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw toArchiveError(error);
      });
      return names.filter(isArchiveName).sort();
    },
  };
}

function toArchiveError(error: unknown): ArchiveError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new ArchiveError('not_found', error);
  return new ArchiveError(code === 'ENOSPC' || code === 'EDQUOT' ? 'disk_full' : 'failed', error);
}
