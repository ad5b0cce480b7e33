import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  BackupError,
  createBackup,
  createBackupRunsRepository,
  isRecipient,
  lockBackups,
  nameBackup,
  openBackupFile,
  openBackupSource,
  readIdentities,
  restoreBackup,
  verifyBackup,
} from '../features/backups/index.ts';
import { ownCommand } from '../own-command.ts';
import { createId } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { version } from '../version.ts';
import { showProgress } from './progress.ts';
import { findOwnSecrets, readConfig, withDatabase } from './with-database.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const log = createLog('warn');
/** For a database that recovers as every backup does: nothing to be warned of. */
const quietLog = createLog('error');

/** Makes a backup beside the running server, or of a stopped one. */
export async function createBackupFile(given: string | undefined, options: readonly string[]): Promise<void> {
  const config = readConfig();
  const { dir } = config.data;
  const recipients = options.length > 0 ? options : config.backups.recipients;
  const wrong = recipients.find((recipient) => !isRecipient(recipient));
  if (wrong !== undefined) throw new BackupError(`${wrong} is no public key of age (age1…).`);
  const secrets = await findOwnSecrets(config, log);
  if (!secrets)
    throw new BackupError(`There is nothing to back up in ${dir}: no server has been started on it.`);
  const file =
    given === undefined ? join(config.backups.dir, nameBackup(new Date(), recipients)) : resolve(given);
  const lock = await lockBackups(dir);
  const signal = abortBySignal();
  try {
    const { source, close } = await openBackupSource({ config, secrets, version, log });
    const progress = showProgress();
    const startedAt = new Date();
    try {
      const made = await createBackup(source, { file, recipients, signal, onProgress: progress.show });
      progress.end();
      await recordRun(file, startedAt, { size: made.size, error: null });
      print(`Backup: ${made.file}`);
      print(`Size: ${made.size} bytes${recipients.length > 0 ? ', encrypted' : ''}`);
      print(`Holds all that was acknowledged before ${made.endedAt.toISOString()}`);
    } catch (error) {
      await recordRun(file, startedAt, { size: null, error: (error as Error).message });
      throw error;
    } finally {
      progress.end();
      await close();
    }
    if (config.database.url !== undefined) print(externalDatabase);
    if (config.diagnostics.s3)
      print('Diagnostics archives stay in their bucket: the backup holds a list of them.');
    if (recipients.length === 0) {
      print('It is not encrypted and holds the keys of this server: keep it where nobody else can read it.');
    }
  } finally {
    await lock.release();
  }
}

/** For the page Server. A backup is none the worse for not being listed there. */
async function recordRun(
  file: string,
  startedAt: Date,
  outcome: { size: number | null; error: string | null },
): Promise<void> {
  try {
    // In a container there may be no account of that number: then it throws.
    const requestedBy = process.env.SUDO_USER || userInfo().username;
    const run = { name: basename(file), startedAt, endedAt: new Date(), requestedBy, ...outcome };
    await withDatabase((db) => createBackupRunsRepository(db).record(createId(), run));
  } catch (error) {
    process.stderr.write(`The console will not list it: ${(error as Error).message}\n`);
  }
}

const externalDatabase =
  'The database of DATABASE_URL is not in it. Back it up by its own tools: pg_dump --format=custom, or pgBackRest for a large one.';

/** Restores a backup to a scratch folder and says what is in it. */
export async function verifyBackupFile(file: string, identityFiles: readonly string[]): Promise<void> {
  const { data } = readConfig();
  const identities = await loadIdentities(identityFiles);
  const lock = await lockBackups(data.dir);
  try {
    const { manifest, inspection } = await verifyBackup(openBackupFile(resolve(file), identities), {
      folder: data.dir,
      version,
      log: quietLog,
      signal: abortBySignal(),
    });
    print(
      `The backup is whole: Pult ${manifest.version}, ${manifest.endedAt}, ${manifest.files.length} files.`,
    );
    if (inspection) printCounts(inspection.schema, inspection.counts);
    else print(externalDatabase);
  } finally {
    await lock.release();
  }
}

/** Makes an empty data folder that of the backup. */
export async function restoreBackupFile(file: string, identityFiles: readonly string[]): Promise<void> {
  const { data, database } = readConfig();
  const identities = await loadIdentities(identityFiles);
  const { manifest, inspection } = await restoreBackup(openBackupFile(resolve(file), identities), {
    dataDir: data.dir,
    hasExternalDatabase: database.url !== undefined,
    version,
    log: quietLog,
    signal: abortBySignal(),
  });
  print(`Restored to ${data.dir}: Pult ${manifest.version}, ${manifest.endedAt}.`);
  if (inspection) {
    printCounts(inspection.schema, inspection.counts);
    if (inspection.credentials.length > 0) {
      print(
        'These let people in, and may have been withdrawn after the backup. Remove those that should not be there:',
      );
      for (const credential of inspection.credentials) print(`  ${credential}`);
    }
  }
  print(
    'Sessions, open tunnels, links to set a password, and mails and webhooks that waited end at the first start. ' +
      `People log in again, devices come back by themselves; where nobody can log in: ${ownCommand} user set-password EMAIL.`,
  );
}

function printCounts(schema: string, counts: Readonly<Record<string, number>>): void {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { organizations = 0, users = 0, controllers = 0 } = counts;
  print(`Database: schema ${schema}, ${rows} rows in ${Object.keys(counts).length} tables, all read.`);
  print(`Organizations: ${organizations}, users: ${users}, controllers: ${controllers}`);
}

export async function loadIdentities(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file).catch(() => undefined);
      if (!found?.isFile() || found.size > 1_000_000)
        throw new BackupError(`The identity file ${file} cannot be read.`);
      return readFile(file, 'utf8');
    }),
  );
  return texts.flatMap(readIdentities);
}

/** Ctrl+C and a service manager's stop leave nothing behind. */
export function abortBySignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => controller.abort(new BackupError(`Ended by ${name}.`)));
  }
  return controller.signal;
}
