import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BaseBackup } from '@pult/embedded-postgres';
import { encryptFor } from '../format/encryption.ts';
import { type BackupEntry, BackupError } from '../format/entry.ts';
import { formatNumber, type Header } from '../format/manifest.ts';
import { compressMembers } from '../format/members.ts';
import { type Ending, packBackup } from '../format/pack.ts';
import { databasePath } from '../format/paths.ts';
import { isBackupName } from './name-backup.ts';
import { listBucket, readArchives, readSecretsFile } from './sources.ts';
import { draftSuffix, writeWhole } from './write-whole.ts';

export interface BackupProgress {
  /** Of the content, before compression. */
  readBytes: number;
  expectedBytes: number;
}

export interface CreatedBackup {
  file: string;
  /** Bytes of the file. */
  size: number;
  endedAt: Date;
}

export interface BackupSource {
  dataDir: string;
  version: string;
  /** Begins the backup of the embedded database; undefined where it is another one. */
  beginDatabase: ((signal: AbortSignal) => Promise<BaseBackup>) | undefined;
  /** Names of archives in a bucket; undefined where they are in the data folder. */
  listArchives: (() => Promise<string[]>) | undefined;
}

/** Rows that say what a database is, and the last migration. */
const endingStatement = `
  SELECT (SELECT max(name) FROM kysely_migration) AS schema,
    (SELECT count(*) FROM organizations)::int AS organizations,
    (SELECT count(*) FROM users)::int AS users,
    (SELECT count(*) FROM controllers)::int AS controllers`;

const draftAgeMs = 3_600_000;

/**
 * Makes one file of all that the server keeps. It has its name only when it is whole; nothing is left of one that fails. For the
 * holder of the lock of backups.
 */
export async function createBackup(
  source: BackupSource,
  options: {
    file: string;
    /** Of age; without one the file is not encrypted. */
    recipients: readonly string[];
    signal: AbortSignal;
    onProgress?: ((progress: BackupProgress) => void) | undefined;
  },
): Promise<CreatedBackup> {
  const { file, recipients, signal, onProgress } = options;
  const startedAt = new Date();
  await removeOldDrafts(dirname(file));
  const database = await source.beginDatabase?.(signal);
  try {
    const expectedBytes = database?.expectedBytes ?? 0;
    await assertRoom(dirname(file), expectedBytes);
    const header: Header = {
      product: 'pult',
      format: formatNumber,
      version: source.version,
      startedAt: startedAt.toISOString(),
      database: database ? 'embedded' : 'external',
      archives: source.listArchives ? 'bucket' : 'folder',
      expectedBytes,
    };
    let ending: Ending = { endedAt: new Date().toISOString() };
    let readBytes = 0;

    async function* listEntries(): AsyncGenerator<BackupEntry> {
      yield* readSecretsFile(source.dataDir);
      if (database) {
        yield* inDatabaseFolder(database.readFiles());
        const [{ schema = undefined, ...counts } = {}] = await database.query<{ schema?: string }>(
          endingStatement,
        );
        const { endedAt, files } = await database.finish();
        ending = { endedAt: endedAt.toISOString(), ...(schema === undefined ? {} : { schema, counts }) };
        yield* inDatabaseFolder(files);
        // The database goes on without us: its log is not held back for the archives.
        await database.close();
      }
      // After the database: whatever archive it tells of is there, unless it was deleted in between.
      yield* source.listArchives ? listBucket(source.listArchives) : readArchives(source.dataDir);
      if (!database) ending = { endedAt: new Date().toISOString() };
    }

    async function* counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        signal.throwIfAborted();
        readBytes += chunk.length;
        onProgress?.({ readBytes, expectedBytes: Math.max(expectedBytes, readBytes) });
        yield chunk;
      }
    }

    const members = compressMembers(counted(packBackup(header, listEntries(), () => ending)));
    const content = recipients.length > 0 ? encryptFor(recipients, members) : members;
    const size = await writeWhole(file, content, { signal });
    return { file, size, endedAt: new Date(ending.endedAt) };
  } finally {
    await database?.close();
  }
}

async function* inDatabaseFolder(
  files: AsyncIterable<{ path: string; size: number; read(): AsyncIterable<Buffer> }>,
): AsyncGenerator<BackupEntry> {
  for await (const file of files) yield { ...file, path: databasePath(file.path) };
}

/** Of backups that were killed. A fresh one may be that of another server with the same folder. */
async function removeOldDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    if (!name.endsWith(draftSuffix) || !isBackupName(name.slice(0, -draftSuffix.length))) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > draftAgeMs) await rm(join(folder, name), { force: true });
  }
}

/** A quarter of what is read: far less than that remains of databases. Whoever fills the disk stops the server. */
async function assertRoom(folder: string, expectedBytes: number): Promise<void> {
  const found = await statfs(folder).catch(() => undefined);
  if (found && found.bavail * found.bsize < expectedBytes / 4) {
    throw new BackupError(`There is too little room in ${folder} for a backup of ${expectedBytes} bytes.`);
  }
}
