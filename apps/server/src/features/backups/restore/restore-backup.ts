import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareCluster, removeEmbeddedDatabase } from '@pult/embedded-postgres';
import { acquireLock, syncFolder } from '@pult/files';
import { readSecrets } from '../../../config/secrets.ts';
import { inDataFolder } from '../../../platform/data-folder.ts';
import type { Logger } from '../../../platform/log.ts';
import { BackupError } from '../format/entry.ts';
import type { Header, Manifest } from '../format/manifest.ts';
import { assertNotNewer } from './accept.ts';
import { extractBackup, removeAll } from './extract.ts';
import { type Inspection, inspectDatabase } from './inspect.repository.ts';
import { restoreNote, unfinishedRestore } from './restore-note.ts';
import { assertSameDatabase } from './verify-backup.ts';

export interface Restored {
  manifest: Manifest;
  /** Undefined where the database is restored by other means. */
  inspection: Inspection | undefined;
}

interface RestoreOptions {
  dataDir: string;
  /** Where the database is with DATABASE_URL. */
  hasExternalDatabase: boolean;
  version: string;
  log: Logger;
  signal: AbortSignal;
}

/** What file systems and we ourselves put into a folder that nobody has used. */
const ignorable = ['lost+found', 'server.lock', 'backup.lock', 'postgres.lock'];
/** What a restore makes, in DATA_DIR. */
const made = ['secrets.json', 'archives', 'archives.json', restoreNote];

/** Makes a data folder of a backup: whole, or as empty as it was. */
export async function restoreBackup(
  bytes: AsyncIterable<Buffer>,
  options: RestoreOptions,
): Promise<Restored> {
  const { dataDir, hasExternalDatabase, version, log, signal } = options;
  const lock = await inDataFolder(dataDir, async () => {
    await assertEmpty(dataDir);
    return acquireLock(join(dataDir, 'server.lock'));
  });
  try {
    await discard(dataDir);
    const draft = join(dataDir, unfinishedRestore);
    await mkdir(draft, { mode: 0o700 });
    try {
      const cluster = await prepareCluster(dataDir, log);
      const manifest = await extractBackup(
        bytes,
        { folder: draft, cluster: cluster.draft },
        { signal, isDurable: true, accept: (header) => accept(header, { version, hasExternalDatabase }) },
      );
      const secrets = await readSecrets(draft);
      if (!secrets) throw new BackupError('The backup holds no secrets.json.');
      const inspection = await restoreDatabase();
      await writeFile(join(draft, restoreNote), JSON.stringify({ endedAt: manifest.endedAt }), {
        mode: 0o600,
        flush: true,
      });
      for (const name of await readdir(draft)) await rename(join(draft, name), join(dataDir, name));
      await syncFolder(dataDir);
      // From here on a server starts on it.
      await rm(draft, { recursive: true });
      await syncFolder(dataDir);
      return { manifest, inspection };

      async function restoreDatabase(): Promise<Inspection | undefined> {
        if (manifest.database === 'external') {
          await removeAll([cluster.draft]);
          return undefined;
        }
        await cluster.settle();
        const password = secrets?.databasePassword ?? '';
        const found = await inspectDatabase({ dataDir, password, log, isDurable: true });
        assertSameDatabase(manifest, found);
        return found;
      }
    } catch (error) {
      await discard(dataDir);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

/** A restore that was killed is begun anew: what is there is its own, for it began with an empty folder. */
async function assertEmpty(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  if (names.includes(unfinishedRestore)) return;
  const found = names.find((name) => !ignorable.includes(name));
  if (found === undefined) return;
  throw new BackupError(
    `The data folder ${dataDir} is not empty (${found}). Name an empty one in DATA_DIR, or move what is in it out of the way.`,
  );
}

function accept(header: Header, options: { version: string; hasExternalDatabase: boolean }): void {
  assertNotNewer(header, options.version);
  if (header.database === 'embedded' && options.hasExternalDatabase) {
    throw new BackupError('The backup holds a database of its own. Unset DATABASE_URL to restore it.');
  }
  if (header.database === 'external' && !options.hasExternalDatabase) {
    throw new BackupError(
      'The backup is of a server with DATABASE_URL and holds no database. Restore that by its own tools and set DATABASE_URL.',
    );
  }
}

async function discard(dataDir: string): Promise<void> {
  await removeEmbeddedDatabase(dataDir);
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.new-'));
  await removeAll([...drafts, ...made, unfinishedRestore].map((name) => join(dataDir, name)));
}
