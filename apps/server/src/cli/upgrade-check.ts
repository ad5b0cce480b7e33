import { readFileSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { environmentVariables } from '../config/env.ts';
import { isBackupName, timeOfBackup } from '../features/backups/index.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { assertReadable, readDatabaseBytes, readSchemaState } from '../platform/db/migrate.ts';
import { createLog } from '../platform/log.ts';
import { version } from '../version.ts';
import { openSettings, readConfig } from './with-database.ts';

interface Finding {
  result: 'ok' | 'warn' | 'fail';
  text: string;
}

const megabyte = 1_000_000;
const day = 24 * 3_600_000;
/** What a server needs to start with, and a migration writes of its own. */
const reserveBytes = 256 * megabyte;

/** Says what a start of this version will do with the data. Reads only. True when it can start. */
export async function checkUpgrade(): Promise<boolean> {
  const config = readConfig();
  const log = createLog('error');
  const isEmbedded = config.database.url === undefined;
  const { settings, stop } = await openSettings(config, log);
  const database = connectDatabase(settings, log, 1);
  const findings: Finding[] = [];
  const add = (result: Finding['result'], text: string) => findings.push({ result, text });
  try {
    const state = await readSchemaState(database.db);
    try {
      assertReadable(state, version);
      const { pending } = state;
      if (pending.length === 0) add('ok', `schema: up to date (${state.current})`);
      else if (state.isEmpty) add('ok', 'schema: the database is empty, the start makes its tables');
      else add('warn', `schema: the start makes ${pending.length} changes: ${pending.join(', ')}`);
    } catch (error) {
      add('fail', `schema: ${error instanceof Error ? error.message : String(error)}`);
    }
    const databaseBytes = await readDatabaseBytes(database.db);
    const isChanged = state.pending.length > 0 && !state.isEmpty;
    const isBackedUp = isEmbedded && config.backups.beforeMigration;
    if (isChanged) {
      add(
        isBackedUp ? 'ok' : 'warn',
        isBackedUp
          ? `backup: the start makes one in ${config.backups.dir} first (BACKUP_BEFORE_MIGRATION)`
          : 'backup: the start makes none before it changes the schema',
      );
    }
    // A change writes what it changes anew, and a backup is smaller than its database.
    const neededBytes = reserveBytes + (isChanged ? databaseBytes * (isBackedUp ? 2 : 1) : 0);
    const { bavail, bsize } = await statfs(config.data.dir);
    const text = `space: ${toMegabytes(bavail * bsize)} free in ${config.data.dir}, ${toMegabytes(neededBytes)} wanted`;
    add(bavail * bsize < neededBytes ? 'fail' : 'ok', text);
    findings.push(await lookAtBackups(config.backups.dir));
    findings.push(...lookAtVariables());
  } finally {
    await database.close();
    await stop();
  }
  process.stdout.write(`Upgrade to Pult ${version}\n`);
  for (const { result, text } of findings) process.stdout.write(`${result.padEnd(5)}${text}\n`);
  return findings.every(({ result }) => result !== 'fail');
}

async function lookAtBackups(folder: string): Promise<Finding> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(isBackupName).sort();
  const newest = names.at(-1);
  const at = newest === undefined ? undefined : timeOfBackup(newest);
  if (!newest || !at) return { result: 'warn', text: `backup: none in ${folder}` };
  const isFresh = Date.now() - at.getTime() < day;
  return {
    result: isFresh ? 'ok' : 'warn',
    text: `backup: the newest in ${folder} is ${newest}${isFresh ? '' : ', older than a day'}`,
  };
}

/** Settings of ours that this version does not know have gone, or were never there. */
function lookAtVariables(): Finding[] {
  let names: string[];
  try {
    names = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
  } catch {
    return [];
  }
  const known = new Set<string>(environmentVariables.map(({ name }) => name));
  const gone = names.filter((name) => !known.has(name));
  if (gone.length === 0) return [{ result: 'ok', text: 'settings: all of .env are known' }];
  return [{ result: 'warn', text: `settings: .env has what this version does not read: ${gone.join(', ')}` }];
}

const toMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte)} MB`;
