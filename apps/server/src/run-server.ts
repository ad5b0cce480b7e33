import { join } from 'node:path';
import {
  type EmbeddedPostgresOptions,
  findCluster,
  removeRetainedLater,
  startEmbeddedPostgres,
  yieldReserve,
} from '@pult/embedded-postgres';
import { acquireLock } from '@pult/files';
import { loadSecrets, readSharedSecrets } from './config/secrets.ts';
import { assertNoUnfinishedRestore } from './features/backups/restore/restore-note.ts';
import type { OnStop, RunOptions } from './open-server.ts';
import { inDataFolder } from './platform/data-folder.ts';
import type { ConnectionSettings } from './platform/db/connect.ts';
import { moveFormerDatabase } from './platform/db/major-move/index.ts';

export interface RunningServer {
  readonly url: string;
  /** Everything in its order, the database last. */
  stop(): Promise<void>;
}

/** After which a start says what it waits for, in milliseconds, and again each time. */
const slowStartMs = 15_000;

/** Names the step that a start is at, in the log of a start that takes long: otherwise one that hangs would say nothing. */
function watchStart({ log }: RunOptions) {
  const startedAt = performance.now();
  let waitingFor = 'the data folder';
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    log.warn({ waitingFor, seconds }, 'still starting');
  }, slowStartMs).unref();
  return {
    at: (step: string) => {
      waitingFor = step;
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Starts all parts in the order in which they need each other. Whatever was started is stopped again when a
 * later part fails.
 */
export async function runServer(options: RunOptions): Promise<RunningServer> {
  const { config, log } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const onStop: OnStop = (step) => stops.push(step);
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) {
      await step().catch((error: Error) => log.error({ err: error }, 'not stopped cleanly'));
    }
  };
  const start = watchStart(options);
  try {
    const { dir } = config.data;
    const lock = await inDataFolder(dir, async () => {
      const cluster = await findCluster(dir);
      // A lock cannot be written on a full disk either.
      if (cluster !== undefined) await yieldReserve(cluster, log);
      return acquireLock(join(dir, 'server.lock'));
    });
    onStop(() => lock.release());
    options.onLocked?.();
    start.at('the launch of the database');
    await assertNoUnfinishedRestore(dir);
    const { file, key } = config.secrets;
    // Those of the database are read when it has been migrated.
    const secrets = file ? await readSharedSecrets(file) : key ? undefined : await loadSecrets(dir, log);
    const { url } = config.database;
    const database =
      url !== undefined
        ? { ready: Promise.resolve({ url }) }
        : await launchMoved(
            { dataDir: dir, password: (secrets ?? (await loadSecrets(dir, log))).databasePassword, log },
            onStop,
          );
    // All the rest of the code, which is most of it: loaded while the database starts, in another process.
    const { openServer } = await import('./open-server.ts');
    start.at('the answer of the database');
    const settings = await database.ready;
    start.at('the migrations and the features');
    await openServer(options, { secrets, settings, onStop });
    if (url === undefined) onStop(await removeRetainedLater({ dataDir: dir, log }));
    return { url: config.http.publicUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    start.end();
  }
}

/** The database of a data folder, which has first come to the version of PostgreSQL that we run. */
async function launchMoved(options: EmbeddedPostgresOptions & Pick<RunOptions, 'log'>, onStop: OnStop) {
  await moveFormerDatabase(options);
  return launchPostgres(options, onStop);
}

/** Resolves when its process runs, though it does not answer yet; or when it has failed, as `ready` tells. */
function launchPostgres(
  options: EmbeddedPostgresOptions,
  onStop: OnStop,
): Promise<{ ready: Promise<ConnectionSettings> }> {
  return new Promise((resolve) => {
    const starting = startEmbeddedPostgres({ ...options, onLaunch: () => resolve({ ready }) });
    const ready = starting.then(({ connection }) => connection);
    ready.catch(() => resolve({ ready }));
    onStop(async () => (await starting.catch(() => undefined))?.stop());
  });
}
