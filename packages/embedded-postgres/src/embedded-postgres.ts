import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { acquireLock, type Lock } from '@pult/files';
import { chooseAccount } from './account.ts';
import { ensureCluster } from './cluster.ts';
import { type Connection, connectionAt, hasSocket, isAnswering } from './connection.ts';
import { findEngineFor, prepareEngine } from './engine.ts';
import {
  findInstallDirectory,
  type InstallDirectory,
  readPointedDirectory,
  systemFolder,
} from './install-directory.ts';
import { stopLeftovers } from './leftovers.ts';
import type { Log } from './log.ts';
import { type Plan, startPostmaster } from './postmaster.ts';
import { createRunFolder, readRunFolder, removeAbandonedFolders, removeRunFolder } from './run-folder.ts';
import type { SupervisedProcess } from './supervisor.ts';

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; made when missing. */
  dataDir: string;
  /** Of the database's only role; the one the cluster was made with. */
  password: string;
  log: Log;
  /** Where databases go whose user cannot enter DATA_DIR. */
  systemFolder?: string;
  /** Recovery after a crash is part of a start. */
  readyWithinMs?: number;
  /** From the fast shutdown to the immediate one, and on to SIGKILL. */
  shutdownGraceMs?: number;
  /** Pauses before restarts that follow each other; the last one is repeated without end. */
  restartPausesMs?: readonly number[];
  /** PostgreSQL's, above ours: for databases that nobody misses, such as those of tests. */
  settings?: Readonly<Record<string, string>>;
  /** Settings of each session, above those of the database. */
  sessionOptions?: string;
  /** By which a database is made where there is none: the current one unless told. Tests make earlier ones. */
  newMajor?: string;
  /** Of the database, where the caller holds it already; given back when the database is stopped. */
  lock?: Lock;
  /** Called when its process has been started for the first time: from here on others do the work. */
  onLaunch?: () => void;
}

export interface EmbeddedPostgres {
  /** The same for all restarts. */
  readonly connection: Connection;
  /** Fast shutdown, harder after 10 s. Resolves when no process and no temporary file is left. */
  stop(): Promise<void>;
  /** Resolves after `stop`. Never rejects. */
  readonly exited: Promise<void>;
}

const defaultPausesMs = [0, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** A database that ran this long before it died starts a new series of restarts. */
const healthyAfterMs = 60_000;

/**
 * Starts PostgreSQL on the database of DATA_DIR, making it the first time, and keeps it running. Throws
 * EmbeddedDatabaseError (what the administrator must change) or LockedError (another server uses this database).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const directory = await findInstallDirectory(dataDir, {
    system: options.systemFolder ?? systemFolder,
    log,
  });
  const packaged = await findEngineFor(directory.cluster, options.newMajor);
  const lock = options.lock ?? (await acquireLock(join(directory.folder, 'postgres.lock')));
  try {
    await stopLeftovers(directory.cluster, log);
    await removeRunFolder(directory.folder, directory.account);
    await removeAbandonedFolders(directory.account).catch((error) =>
      log.warn({ err: error }, 'removing what killed servers left in /tmp'),
    );
    const runFolder = await createRunFolder(directory.folder, directory.account);
    const engine = await prepareEngine(packaged, {
      directory: directory.folder,
      runFolder,
      account: directory.account,
    });
    await ensureCluster(directory, { engine, runFolder, password: options.password });
    const plan: Plan = {
      directory,
      engine,
      runFolder,
      connection: connectionAt(runFolder, options.password, options.sessionOptions),
      settings: options.settings ?? {},
      readyWithinMs: options.readyWithinMs ?? 300_000,
      shutdownGraceMs: options.shutdownGraceMs ?? 10_000,
      log,
    };
    const first = await startPostmaster(plan, { onLaunch: options.onLaunch });
    return supervise(plan, { first, lock, pausesMs: options.restartPausesMs ?? defaultPausesMs });
  } catch (error) {
    await cleanUp(directory, lock);
    throw error;
  }
}

/** Ends what still works in a database that nobody will start again, after its server was killed. For whoever keeps servers off it. */
export async function endAbandoned(folder: string, log: Pick<Log, 'warn'>): Promise<void> {
  const cluster = join(folder, 'postgres');
  await stopLeftovers(cluster, log);
  await removeRunFolder(folder, await chooseAccount(cluster));
}

/** The connection to the database of DATA_DIR when a server on this machine has it running, else undefined. */
export async function findRunningPostgres(
  dataDir: string,
  password: string,
): Promise<Connection | undefined> {
  const directory = (await readPointedDirectory(dataDir)) ?? dataDir;
  const runFolder = await readRunFolder(directory);
  if (runFolder === undefined || !(await hasSocket(runFolder))) return undefined;
  return connectionAt(runFolder, password);
}

/** The database of DATA_DIR: that of a running server, or started for the moment. `stop` when it is not needed any more. */
export async function reachPostgres(
  options: EmbeddedPostgresOptions,
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const connection = await findRunningPostgres(options.dataDir, options.password);
  if (connection && (await isAnswering(connection))) return { connection, stop: async () => {} };
  return startEmbeddedPostgres(options);
}

interface Supervision {
  first: SupervisedProcess;
  lock: Lock;
  pausesMs: readonly number[];
}

function supervise(plan: Plan, { first, lock, pausesMs }: Supervision): EmbeddedPostgres {
  const stopping = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  const run = async (): Promise<void> => {
    let current: SupervisedProcess | undefined = first;
    let startedAt = performance.now();
    let restarts = 0;
    let reason = '';
    for (;;) {
      if (current) {
        const how = await Promise.race([current.ended, aborted]);
        if (how === undefined) {
          await current.end();
          return;
        }
        reason = `PostgreSQL ended by itself (${how})`;
        if (performance.now() - startedAt > healthyAfterMs) restarts = 0;
      }
      // Without end: whatever keeps it from starting, such as a full disk, may be mended beside a server that waits.
      const pauseMs = pausesMs[Math.min(restarts, pausesMs.length - 1)] ?? 0;
      const attempt = { reason, restart: ++restarts, pauseMs };
      if (restarts < pausesMs.length) plan.log.warn(attempt, 'restarting the database');
      else plan.log.error(attempt, 'the database does not come back; it is started again and again');
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        current = await startPostmaster(plan, { stopping: stopping.signal });
        startedAt = performance.now();
        plan.log.info({ restart: restarts }, 'the database is back');
      } catch (error) {
        current = undefined;
        reason = error instanceof Error ? error.message : String(error);
      }
    }
  };

  const finish = async (): Promise<void> => {
    await run();
    await cleanUp(plan.directory, lock).catch((error) =>
      plan.log.error({ err: error }, 'cleaning up after the database'),
    );
  };
  const exited = finish();
  return {
    connection: plan.connection,
    exited,
    stop: async () => {
      stopping.abort();
      await exited;
    },
  };
}

async function cleanUp(directory: InstallDirectory, lock: Lock): Promise<void> {
  try {
    // A supervisor that was killed may have left its PostgreSQL.
    await stopLeftovers(directory.cluster, { warn: () => {} });
    await removeRunFolder(directory.folder, directory.account);
  } finally {
    await lock.release();
  }
}
