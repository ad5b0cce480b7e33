import { measureDisk } from '@pult/files';
import type { Config } from '../config/config.ts';
import { environmentVariables, listSettingsNames } from '../config/env.ts';
import {
  type BackupPlace,
  createFolderPlace,
  lockBackups,
  openBackupPlace,
  openBackupStream,
  rehearseMigrations,
  timeOfBackup,
} from '../features/backups/index.ts';
import { ownCommand } from '../own-command.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import {
  assertReadable,
  estimateMigrations,
  readDatabaseBytes,
  readSchemaState,
  type SchemaState,
} from '../platform/db/migrate.ts';
import type { Database } from '../platform/db/schema.ts';
import { createLog } from '../platform/log.ts';
import { version } from '../version.ts';
import { abortBySignal, loadIdentities } from './backups.ts';
import { foreseeMove } from './foresee-move.ts';
import { openSettings, readConfig } from './with-database.ts';

interface Finding {
  result: 'ok' | 'warn' | 'fail';
  text: string;
}

interface StoredBackup {
  name: string;
  at: Date;
  /** The folder or the bucket. */
  where: string;
  place: BackupPlace;
}

const megabyte = 1_000_000;
const hour = 3_600_000;
const day = 24 * 3_600_000;
/** What a server needs to start with, and a migration writes of its own. */
const reserveBytes = 256 * megabyte;

/** Says what a start of this version will do with the data. Changes nothing of it. True when it can start. */
export async function checkUpgrade(options: {
  /** Whether the changes are made to the newest backup, in a scratch folder. */
  isRehearsed: boolean;
  identityFiles: readonly string[];
}): Promise<boolean> {
  const config = readConfig();
  const log = createLog('error');
  const { settings, stop } = await openSettings(config, log);
  const database = connectDatabase(settings, log, 1);
  const findings: Finding[] = [];
  try {
    const state = await readSchemaState(database.db);
    findings.push(judgeSchema(state), ...(await lookAhead(database.db, config, state)));
    const { newest, failures } = await findNewestBackup(config);
    findings.push(...failures, judgeBackup(newest, config), ...judgeSettings());
    if (options.isRehearsed) findings.push(await rehearse(newest, config, options.identityFiles));
  } finally {
    await database.close();
    await stop();
  }
  process.stdout.write(`Upgrade to Pult ${version}\n`);
  for (const { result, text } of findings) process.stdout.write(`${result.padEnd(5)}${text}\n`);
  return findings.every(({ result }) => result !== 'fail');
}

function judgeSchema(state: SchemaState): Finding {
  const { pending } = state;
  try {
    assertReadable(state, version);
  } catch (error) {
    return { result: 'fail', text: `schema: ${messageOf(error)}` };
  }
  if (pending.length === 0) return { result: 'ok', text: `schema: up to date (${state.current})` };
  if (state.isEmpty)
    return { result: 'ok', text: 'schema: the database is empty, the start makes its tables' };
  return {
    result: 'warn',
    text: `schema: the start makes ${pending.length} changes: ${pending.join(', ')}`,
  };
}

/** What the start takes and does before it serves anybody. */
async function lookAhead(db: Database, config: Config, state: SchemaState): Promise<Finding[]> {
  const databaseBytes = await readDatabaseBytes(db);
  const isChanged = state.pending.length > 0 && !state.isEmpty;
  const isBackedUp = config.database.url === undefined && config.backups.beforeMigration;
  const findings: Finding[] = [];
  const move = await foreseeMove(db, config, databaseBytes);
  if (move) findings.push({ result: 'warn', text: move.text });
  if (isChanged) {
    const { milliseconds, unmeasured } = await estimateMigrations(db, state);
    const unknown = unmeasured.length === 0 ? '' : `, without ${unmeasured.join(', ')}: --rehearse measures`;
    findings.push(
      {
        result: 'ok',
        text: `time: about ${toSeconds(milliseconds)} for the changes, in which nobody is served${unknown}`,
      },
      isBackedUp
        ? {
            result: 'ok',
            text: `backup: the start makes one in ${config.backups.dir} first (BACKUP_BEFORE_MIGRATION)`,
          }
        : { result: 'warn', text: 'backup: the start makes none before it changes the schema' },
    );
  }
  // A change writes what it changes anew, and a backup is smaller than its database.
  const changeBytes = isChanged ? databaseBytes * (isBackedUp ? 2 : 1) : 0;
  const neededBytes = reserveBytes + changeBytes + (move?.neededBytes ?? 0);
  const { availableBytes: freeBytes } = await measureDisk(config.data.dir);
  findings.push({
    result: freeBytes < neededBytes ? 'fail' : 'ok',
    text: `space: ${toMegabytes(freeBytes)} free in ${config.data.dir}, ${toMegabytes(neededBytes)} wanted`,
  });
  return findings;
}

/** Scheduled ones may be in a bucket, those by hand and before migrations are in the folder. */
async function findNewestBackup(
  config: Config,
): Promise<{ newest: StoredBackup | undefined; failures: Finding[] }> {
  const { dir, s3 } = config.backups;
  const places = [{ where: dir, place: createFolderPlace(dir) }];
  if (s3) places.push({ where: s3.bucket, place: await openBackupPlace(config) });
  const found: StoredBackup[] = [];
  const failures: Finding[] = [];
  for (const { where, place } of places) {
    try {
      for (const name of await place.list()) {
        const at = timeOfBackup(name);
        // Of a clock that was wrong where it is of a time to come: it would count as fresh for ever.
        if (at && at.getTime() < Date.now() + hour) found.push({ name, at, where, place });
      }
    } catch (error) {
      failures.push({ result: 'warn', text: `backup: ${where} cannot be read: ${messageOf(error)}` });
    }
  }
  return { newest: found.sort((one, other) => one.at.getTime() - other.at.getTime()).at(-1), failures };
}

function judgeBackup(newest: StoredBackup | undefined, { backups: { dir, s3 } }: Config): Finding {
  if (!newest) return { result: 'warn', text: `backup: none in ${dir}${s3 ? ` or ${s3.bucket}` : ''}` };
  const isFresh = Date.now() - newest.at.getTime() < day;
  const advice = `, older than a day: make one by ${ownCommand} backup create`;
  return {
    result: isFresh ? 'ok' : 'warn',
    text: `backup: the newest in ${newest.where} is ${newest.name}${isFresh ? '' : advice}`,
  };
}

/** Settings of ours that this version does not know have gone, or were never there. */
function judgeSettings(): Finding[] {
  const settings = listSettingsNames({ env: process.env, directory: process.cwd() });
  if (!settings) return [];
  const known = new Set<string>(environmentVariables.map(({ name }) => name));
  const gone = settings.names.filter((name) => !known.has(name));
  if (gone.length === 0) return [{ result: 'ok', text: `settings: all of ${settings.path} are known` }];
  return [
    {
      result: 'warn',
      text: `settings: ${settings.path} has what this version does not read: ${gone.join(', ')}`,
    },
  ];
}

async function rehearse(
  newest: StoredBackup | undefined,
  { data }: Config,
  identityFiles: readonly string[],
): Promise<Finding> {
  if (!newest) return { result: 'fail', text: 'rehearsal: there is no backup to rehearse with' };
  const identities = await loadIdentities(identityFiles);
  if (newest.name.endsWith('.age') && identities.length === 0) {
    return { result: 'fail', text: `rehearsal: ${newest.name} is encrypted: --identity KEYFILE opens it` };
  }
  const lock = await lockBackups(data.dir);
  try {
    const { restoredInMs, migrations } = await rehearseMigrations(
      openBackupStream(await newest.place.read(newest.name), identities),
      { folder: data.dir, version, log: createLog('silent'), signal: abortBySignal() },
    );
    const times = migrations.map(({ name, milliseconds }) => `${name} ${toSeconds(milliseconds)}`);
    const text = `rehearsal: ${newest.name} was restored in ${toSeconds(restoredInMs)}`;
    if (times.length === 0) return { result: 'ok', text: `${text}; it needs no changes` };
    const sum = migrations.reduce((total, { milliseconds }) => total + milliseconds, 0);
    return { result: 'ok', text: `${text} and changed in ${toSeconds(sum)}: ${times.join(', ')}` };
  } catch (error) {
    return { result: 'fail', text: `rehearsal: ${newest.name}: ${messageOf(error)}` };
  } finally {
    await lock.release();
  }
}

const toMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte)} MB`;
const toSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
