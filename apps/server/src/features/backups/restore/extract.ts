import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupError } from '../format/entry.ts';
import type { Header, Manifest } from '../format/manifest.ts';
import type { PlaceOfEntry } from '../format/paths.ts';
import { type UnpackedFile, unpackBackup } from '../format/unpack.ts';

/** Left free on the disk, whatever a backup says that it holds. */
const reserveBytes = 256 * 1024 * 1024;
/** More where a server runs beside it: short before that it leaves what can wait, and then refuses changes (`disk-guard.ts`). */
const reserveBesideServer = 768 * 1024 * 1024;
const lookEveryBytes = 64 * 1024 * 1024;
const largestSecrets = 1024 * 1024;

interface Target {
  /** For secrets and archives. */
  folder: string;
  /** For the files of the database. */
  cluster: string;
}

/**
 * Puts what is in a backup into folders that are there and empty. Where it rejects, what is in them is to be thrown away. What is
 * durable is on the disk afterwards, but for the database: PostgreSQL brings its files there before it recovers.
 */
export async function extractBackup(
  bytes: AsyncIterable<Buffer>,
  target: Target,
  options: {
    signal: AbortSignal;
    accept(header: Header): void;
    /** Of what stays; otherwise it is looked at beside a server and thrown away. */
    isDurable: boolean;
  },
): Promise<Manifest> {
  const { signal, accept, isDurable } = options;
  const folders = [target.folder, target.cluster];
  const room = createRoom(folders, isDurable ? reserveBytes : reserveBesideServer);
  await mkdir(join(target.folder, 'archives'), { mode: 0o700 });
  return unpackBackup(bytes, {
    async begin(header) {
      accept(header);
      await room.assertFor(header.expectedBytes);
    },
    async take({ place, size, body }: UnpackedFile) {
      if (place.kind === 'secrets' && size > largestSecrets) throw new BackupError('The backup is damaged.');
      await room.assertFor(size);
      const file = fileOf(place, target);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(file, 'wx', 0o600);
      try {
        for await (const chunk of body) {
          signal.throwIfAborted();
          await handle.writeFile(chunk);
          await room.count(chunk.length);
        }
        if (isDurable && place.kind !== 'database') await handle.sync();
      } finally {
        await handle.close();
      }
    },
  });
}

function fileOf(place: PlaceOfEntry, { folder, cluster }: Target): string {
  switch (place.kind) {
    case 'database':
      return join(cluster, place.path);
    case 'secrets':
      return join(folder, 'secrets.json');
    case 'archive':
      return join(folder, 'archives', place.name);
    case 'bucket list':
      return join(folder, 'archives.json');
  }
}

/** What a backup says of its size is its own word: the disk is looked at while it is unpacked, too. */
function createRoom(folders: readonly string[], reserve: number) {
  let uncounted = 0;

  async function assertFor(bytes: number): Promise<void> {
    for (const folder of folders) {
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < bytes + reserve) {
        throw new BackupError(`There is too little room in ${folder} for what is in the backup.`);
      }
    }
  }

  return {
    assertFor,
    async count(bytes: number): Promise<void> {
      uncounted += bytes;
      if (uncounted < lookEveryBytes) return;
      uncounted = 0;
      await assertFor(0);
    },
  };
}

/** Takes away what an attempt has left. */
export async function removeAll(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true, maxRetries: 5 })));
}
