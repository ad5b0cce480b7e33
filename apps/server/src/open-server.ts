import { readFile } from 'node:fs/promises';
import { composeServer } from './compose.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { backUpBeforeMigration } from './features/backups/before-migration.ts';
import { endWhatWasOpen } from './features/backups/restore/after-restore.repository.ts';
import { readRestoreNote, removeRestoreNote } from './features/backups/restore/restore-note.ts';
import { createTemporaryCertificate, listDesiredCertificates } from './features/certificates/index.ts';
import { assertDatabaseFoldsCase } from './platform/db/case-folding.ts';
import { type ConnectionSettings, connectDatabase } from './platform/db/connect.ts';
import { migrateDatabase } from './platform/db/migrate.ts';
import type { Database } from './platform/db/schema.ts';
import { readTlsFiles, type TlsPair, watchTlsFiles } from './platform/http/tls-files.ts';
import { startJobs } from './platform/jobs/jobs.ts';
import type { Logger } from './platform/log.ts';
import { noTracing, type Tracing } from './platform/tracing/tracing.ts';
import { warnOfRiskySettings } from './risky-settings.ts';
import { loadSealedSecrets } from './shared-secrets.ts';
import { checkTunnelCertificate, checkTunnelOrders } from './tunnel-certificate.ts';
import { version } from './version.ts';

export interface RunOptions {
  config: Config;
  log: Logger;
  /** The builds of the other apps; undefined for what has not been built. */
  consoleDirectory: string | undefined;
  agentDirectory: string | undefined;
  manualDirectory: string | undefined;
  /** The data folder is this server's, until it stops. */
  onLocked?: () => void;
}

/** Takes note of what ends a part that has been started. */
export type OnStop = (stop: () => Promise<unknown>) => void;

interface OpenOptions {
  /** Undefined where they are in the database. */
  secrets: Secrets | undefined;
  /** Of a database that answers. */
  settings: ConnectionSettings;
  onStop: OnStop;
}

/** What a stopping server gives requests and devices to finish, in milliseconds. */
const stopGrace = 10_000;

/** Until the authority has given one; undefined where none is asked for. */
async function createFirstCertificate(config: Config): Promise<TlsPair | undefined> {
  const [own] = listDesiredCertificates(config);
  return own && createTemporaryCertificate(own.hosts);
}

/** What it needs is loaded only where somebody wants traces. */
async function createTracing({ tracing: settings }: Config, log: Logger): Promise<Tracing> {
  if (!settings) return noTracing;
  const ca = settings.caFile === undefined ? undefined : await readFile(settings.caFile, 'utf8');
  const { startTracing } = await import('./platform/tracing/open-telemetry.ts');
  return startTracing(settings, { version, ca, log });
}

/** The first start on a restored data folder ends what was open in the backup, and only then lets people in. */
async function finishRestore(db: Database, dataDir: string, log: Logger): Promise<void> {
  const backupEndedAt = await readRestoreNote(dataDir);
  if (!backupEndedAt) return;
  const ended = await endWhatWasOpen(db, backupEndedAt);
  await removeRestoreNote(dataDir);
  log.info(
    { backupEndedAt, ...ended },
    'the data folder was restored: sessions and waiting messages of the backup have ended',
  );
}

function readSealed({ secrets: { key }, data }: Config, db: Database, log: Logger): Promise<Secrets> {
  if (!key) throw new Error('without a file of secrets there is SECRETS_KEY'); // so run-server.ts has chosen
  return loadSealedSecrets(db, { key, dataDir: data.dir, log });
}

/** All that a server does over its database, until it listens. */
export async function openServer(
  { config, log, consoleDirectory, agentDirectory, manualDirectory }: RunOptions,
  { secrets: ownSecrets, settings, onStop }: OpenOptions,
): Promise<void> {
  const tracing = await createTracing(config, log);
  onStop(() => tracing.stop());
  const database = connectDatabase(settings, log, undefined, tracing);
  onStop(() => database.close());
  const { tls } = config.http;
  const pair = tls ? await readTlsFiles(tls) : await createFirstCertificate(config);
  const tunnelTls = config.tunnels.tls;
  const tunnelPair = tunnelTls && (await readTlsFiles(tunnelTls));
  // Connected first: while all is put together, on a busy machine, nobody would read the answer before its time is over.
  await assertDatabaseFoldsCase(database.pool);
  // An external database is backed up by its own tools.
  const isBackedUp =
    ownSecrets !== undefined && config.database.url === undefined && config.backups.beforeMigration;
  const migrating = migrateDatabase(
    database,
    log,
    isBackedUp
      ? { beforeChange: () => backUpBeforeMigration({ config, secrets: ownSecrets, version, log }) }
      : {},
  );
  migrating.catch(() => {});
  const secrets: Secrets = ownSecrets ?? (await migrating.then(() => readSealed(config, database.db, log)));
  // Asks the database for nothing: put together while the database is being looked after.
  const server = await composeServer({
    config,
    secrets,
    db: database.db,
    pool: database.pool,
    log,
    tracing,
    consoleDirectory,
    agentDirectory,
    manualDirectory,
    tls: pair,
    tunnelTls: tunnelPair,
  });
  await migrating;
  await finishRestore(database.db, config.data.dir, log);
  warnOfRiskySettings(config, log);
  const checkCertificate = ({ cert }: TlsPair) => checkTunnelCertificate(config, cert, log);
  const shown = tunnelPair ?? (tls && pair);
  if (shown) checkCertificate(shown);
  checkTunnelOrders(config, log);
  if (tls && pair) {
    const renew = (renewed: TlsPair) => {
      server.renewTls({ tls: renewed });
      if (!tunnelTls) checkCertificate(renewed);
    };
    const unwatch = watchTlsFiles(tls, pair, renew, { log });
    onStop(async () => unwatch());
  }
  if (tunnelTls && tunnelPair) {
    const renew = (renewed: TlsPair) => {
      server.renewTls({ tunnelTls: renewed });
      checkCertificate(renewed);
    };
    const unwatch = watchTlsFiles(tunnelTls, tunnelPair, renew, { log });
    onStop(async () => unwatch());
  }
  const administrator = await server.createFirstAdministrator();
  if (administrator) log.info(administrator, 'the first administrator is made');
  await server.node.join();
  onStop(() => server.node.leave());
  const jobs = await startJobs(database.pool, [...server.jobs, ...server.queuedJobs], log, server.node);
  onStop(() => jobs.stop());
  onStop(() => server.close(stopGrace));
  const port = await server.listen();
  log.info({ port, url: config.http.publicUrl }, 'server ready');
}
