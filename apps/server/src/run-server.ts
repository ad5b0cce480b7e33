import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { loadSecrets } from './config/secrets.ts';
import { connectDatabase } from './platform/db/connect.ts';
import { assertDatabaseFoldsCase, startEmbeddedPostgres } from './platform/db/embedded/index.ts';
import { migrateDatabase } from './platform/db/migrate.ts';
import { readTlsFiles, type TlsPair, watchTlsFiles } from './platform/http/tls-files.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import { acquireLock } from './platform/lock/index.ts';
import type { Logger } from './platform/log.ts';
import { warnOfRiskySettings } from './risky-settings.ts';
import { checkTunnelCertificate } from './tunnel-certificate.ts';

export interface RunningServer {
  readonly url: string;
  /** Resolves when the server can go on no more: why. Never rejects. */
  readonly failed: Promise<Error>;
  /** Everything in its order, the database last. */
  stop(): Promise<void>;
}

export interface RunOptions {
  config: Config;
  log: Logger;
  /** The builds of the other apps; undefined for what has not been built. */
  consoleDirectory: string | undefined;
  agentDirectory: string | undefined;
  /** Shows what only the terminal may see, such as the first password. */
  print: (line: string) => void;
}

/** What a stopping server gives requests and devices to finish, in milliseconds. */
const stopGrace = 10_000;

/**
 * Starts all parts in the order in which they need each other. Whatever was started is stopped again when a
 * later part fails.
 */
export async function runServer({
  config,
  log,
  consoleDirectory,
  agentDirectory,
  print,
}: RunOptions): Promise<RunningServer> {
  // Most of the code is loaded while the database starts.
  const composing = import('./compose.ts');
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) {
      await step().catch((error: Error) => log.error({ err: error }, 'not stopped cleanly'));
    }
  };
  try {
    const { dir } = config.data;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const lock = await acquireLock(join(dir, 'server.lock'));
    stops.push(() => lock.release());
    const secrets = await loadSecrets(dir, log);

    let settings: Parameters<typeof connectDatabase>[0];
    let failed: Promise<Error> = new Promise(() => {});
    if (config.database.url === undefined) {
      const postgres = await startEmbeddedPostgres({ dataDir: dir, password: secrets.databasePassword, log });
      stops.push(() => postgres.stop());
      settings = postgres.connection;
      failed = postgres.exited.then((error) => error ?? new Promise<Error>(() => {}));
    } else settings = { url: config.database.url };
    const database = connectDatabase(settings, log);
    stops.push(() => database.close());
    await assertDatabaseFoldsCase(database.pool);
    await migrateDatabase(database, log);
    warnOfRiskySettings(config, log);

    const { tls } = config.http;
    const pair = tls && (await readTlsFiles(tls));
    const tunnelTls = config.tunnels.tls;
    const tunnelPair = tunnelTls && (await readTlsFiles(tunnelTls));
    const checkCertificate = ({ cert }: TlsPair) => checkTunnelCertificate(config, cert, log);
    const shown = tunnelPair ?? pair;
    if (shown) checkCertificate(shown);
    const { composeServer } = await composing;
    const server = await composeServer({
      config,
      secrets,
      db: database.db,
      log,
      consoleDirectory,
      agentDirectory,
      tls: pair,
      tunnelTls: tunnelPair,
    });
    if (tls && pair) {
      const renew = (renewed: TlsPair) => {
        server.renewTls({ tls: renewed });
        if (!tunnelTls) checkCertificate(renewed);
      };
      const unwatch = watchTlsFiles(tls, pair, renew, { log });
      stops.push(async () => unwatch());
    }
    if (tunnelTls && tunnelPair) {
      const renew = (renewed: TlsPair) => {
        server.renewTls({ tunnelTls: renewed });
        checkCertificate(renewed);
      };
      const unwatch = watchTlsFiles(tunnelTls, tunnelPair, renew, { log });
      stops.push(async () => unwatch());
    }
    const administrator = await server.createFirstAdministrator();
    if (administrator) {
      print(`Administrator: ${administrator.email}`);
      if (administrator.generatedPassword) print(`Password: ${administrator.generatedPassword}`);
    }
    const jobs = await startJobs(database.pool, [...server.jobs, ...server.queuedJobs], log);
    stops.push(() => jobs.stop());
    stops.push(() => server.close(stopGrace));
    const port = await server.listen();
    log.info({ port, url: config.http.publicUrl }, 'server ready');
    return { url: config.http.publicUrl, failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
