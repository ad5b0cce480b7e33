import { mkdir } from 'node:fs/promises';
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
  try {
    const { dir } = config.data;
    const lock = await inDataFolder(dir, async () => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const cluster = await findCluster(dir);
      // A lock cannot be written on a full disk either.
      if (cluster !== undefined) await yieldReserve(cluster, log);
      return acquireLock(join(dir, 'server.lock'));
    });
    onStop(() => lock.release());
    options.onLocked?.();
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
    const settings = await database.ready;
    await openServer(options, { secrets, settings, onStop });
    if (url === undefined) onStop(await removeRetainedLater({ dataDir: dir, log }));
    return { url: config.http.publicUrl, stop };
  } catch (error) {
    await stop();
    throw error;
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
