import { chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireLock, type Lock } from '@pult/files';
import type { Log } from '../log.ts';
import { currentMajor, readClusterMajor } from '../majors.ts';
import { quietSession, quietSettings } from '../restored-cluster.ts';
import { carrySettings, listCarriedSettings } from './carried-settings.ts';
import { measureTables } from './catalog.ts';
import { type Copied, copyRows, type Schema } from './copy-rows.ts';
import { assertRoomForMove } from './disk-space.ts';
import {
  assertCanRename,
  declareWhole,
  discardUnfinished,
  finishRenames,
  movingOf,
  retainedOf,
} from './folders.ts';
import { withPostgres } from './open.ts';
import { suspendByRole } from './restore.ts';
import { assertSameDigests, countRows, digestTables } from './transfer.ts';

interface Move {
  /** Of both databases. */
  folder: string;
  /** Of which the old database is. */
  dataDir: string;
  password: string;
  schema: Schema;
  log: Log;
}

/**
 * Nobody else is let in: rows go past the log, whose files would double what is written. The transaction that brings them syncs them
 * itself.
 */
const fillingSettings = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  maintenance_work_mem: '128MB',
};

export async function moveDatabase(move: Move): Promise<void> {
  const { folder, log } = move;
  const lock = await acquireLock(join(folder, 'postgres.lock'));
  try {
    await discardUnfinished(folder, log);
    if (!(await finishRenames(folder))) {
      const major = await readClusterMajor(join(folder, 'postgres'));
      if (major === undefined || major === currentMajor) return;
      await assertCanRename(folder, major);
      await makeMoved(move, major);
      await finishRenames(folder);
    }
    log.info({ postgres: currentMajor }, 'the database has moved to another version of PostgreSQL');
  } finally {
    await lock.release();
  }
}

/** Makes the new database, whole, beside the old one. */
async function makeMoved(move: Move, major: string): Promise<void> {
  const { folder, dataDir, password, schema, log } = move;
  const startedAt = performance.now();
  log.info(
    { from: major, to: currentMajor },
    'the database is of an earlier PostgreSQL: it is moved, and nobody is served meanwhile',
  );
  const moving = movingOf(folder);
  try {
    const result = await withPostgres(
      {
        dataDir,
        password,
        log,
        lock: borrowed,
        settings: quietSettings,
        sessionOptions: quietSession,
      },
      async (old) => {
        await assertRoomForMove(folder, (await measureTables(old.client)).databaseBytes);
        await prepareFolder(moving, join(folder, 'postgres'));
        return withPostgres({ dataDir: moving, password, log, settings: fillingSettings }, async (made) => ({
          ...(await copyRows({ old, made }, { schema, log, progress: log, suspend: suspendByRole })),
          settings: await listCarriedSettings(old.client, made.client),
        }));
      },
    );
    const settings = await settle(moving, { password, log, major }, result);
    await declareWhole(folder);
    log.info(
      {
        rows: countRows(result.digests),
        seconds: Math.round((performance.now() - startedAt) / 1_000),
        settings,
        old: retainedOf(folder, major),
      },
      'all rows are in the new database; the old one is kept until that has run for a day',
    );
  } catch (error) {
    await discardUnfinished(folder, log).catch(() => {});
    throw error;
  }
}

interface Filled extends Copied {
  settings: [string, string][];
}

/** Gives the new database the settings of the old one, and tries it; without them where it does not start so. Returns those that it has. */
async function settle(
  moving: string,
  { major, ...options }: Pick<Move, 'password' | 'log'> & { major: string },
  filled: Filled,
): Promise<string[]> {
  const takeBack = await carrySettings(join(moving, 'postgres'), filled.settings, major);
  const names = filled.settings.map(([name]) => name);
  try {
    await verify(moving, options, filled);
    return names;
  } catch (error) {
    if (names.length === 0) throw error;
    await takeBack();
    await verify(moving, options, filled);
    options.log.warn(
      { err: error, settings: names },
      'the new database does not start with the settings of the old one',
    );
    return [];
  }
}

/** That the new database starts with its own settings, and has on its disk what the old one has. */
async function verify(
  moving: string,
  { password, log }: Pick<Move, 'password' | 'log'>,
  { tables, digests }: Filled,
): Promise<void> {
  await withPostgres({ dataDir: moving, password, log }, async ({ client }) => {
    assertSameDigests(digests, await digestTables(client, tables));
  });
}

/** Of the user who owns the old database: another could not follow where that one may go. */
async function prepareFolder(moving: string, cluster: string): Promise<void> {
  const made = join(moving, 'postgres');
  await mkdir(moving, { mode: 0o711 });
  await mkdir(made, { mode: 0o700 });
  const { uid, gid } = await stat(cluster);
  if (process.getuid?.() === 0) await chown(made, uid, gid);
}

/** Of the one that is held all the while. */
const borrowed: Lock = { release: async () => {} };
