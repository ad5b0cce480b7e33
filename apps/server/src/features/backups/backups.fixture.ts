import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  beginBaseBackup,
  type Connection,
  type EmbeddedPostgres,
  findCluster,
  removeEmbeddedDatabase,
  startEmbeddedPostgres,
} from '@pult/embedded-postgres';
import { loadSecrets, type Secrets } from '../../config/secrets.ts';
import { connectDatabase, type DatabaseConnection } from '../../platform/db/connect.ts';
import { measureMigrations, migrateDatabase } from '../../platform/db/migrate.ts';
import { createId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { type BackupSource, createBackup } from './create/create-backup.ts';
import { openBackupFile } from './restore/open-file.ts';
import { restoreBackup } from './restore/restore-backup.ts';
import { verifyBackup } from './restore/verify-backup.ts';

export const log = createLog('silent');
export const never = new AbortController().signal;
export const version = '1.2.3';
/** Nobody misses these databases after a power cut. */
const settings = { fsync: 'off', autovacuum: 'off' };

/** A server's data folder with a database that runs, as people have it, beside folders of its own for what is made of it. */
export interface Installation {
  folder: string;
  dataDir: string;
  secrets: Secrets;
  database: DatabaseConnection;
  /** Of its database. */
  connection: Connection;
  cluster: string;
  source: BackupSource;
  /** In `folder`. */
  path(name: string): string;
  back(
    name: string,
    options?: { recipients?: string[]; signal?: AbortSignal; onProgress?: () => void; madeBy?: string },
  ): Promise<string>;
  verify(file: string, identities?: string[]): ReturnType<typeof verifyBackup>;
  restore(file: string, dataDir: string, identities?: string[]): ReturnType<typeof restoreBackup>;
  /** Starts the database of a restored folder; ended with the rest. */
  open(dataDir: string): Promise<DatabaseConnection>;
  close(): Promise<void>;
}

/** `schema` is its last migration, of an earlier release; `madeBy` the version that its backups bear. */
export async function createInstallation({
  schema,
  madeBy = version,
}: {
  schema?: string;
  madeBy?: string;
} = {}): Promise<Installation> {
  const folder = await mkdtemp('/tmp/pultbk-');
  // The database's user must be able to pass through.
  await chmod(folder, 0o711);
  const path = (name: string) => join(folder, name);
  const dataDir = path('data');
  const secrets = await loadSecrets(dataDir, log);
  const started: EmbeddedPostgres[] = [];
  const connections: DatabaseConnection[] = [];
  const dataDirs = new Set([dataDir]);

  async function open(at: string, password: string): Promise<DatabaseConnection> {
    dataDirs.add(at);
    const postgres = await startEmbeddedPostgres({ dataDir: at, password, log, settings });
    started.push(postgres);
    const connection = connectDatabase(postgres.connection, log, 4);
    connections.push(connection);
    return connection;
  }

  async function stop(): Promise<void> {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await Promise.all(started.splice(0).map((postgres) => postgres.stop()));
  }

  const database = await open(dataDir, secrets.databasePassword);
  if (schema === undefined) await migrateDatabase(database, log);
  else await measureMigrations(database, { until: schema });
  await mkdir(join(dataDir, 'archives'), { mode: 0o700 });
  await writeFile(join(dataDir, 'archives', createId()), randomBytes(300_000));
  await writeFile(join(dataDir, 'archives', `${createId()}.part`), 'half');
  const cluster = (await findCluster(dataDir)) ?? '';
  const connection = started[0]?.connection;
  if (!connection) throw new Error('no database');
  const source: BackupSource = {
    dataDir,
    version: madeBy,
    listArchives: undefined,
    beginDatabase: (signal) => beginBaseBackup({ connection, cluster, signal }),
  };
  return {
    folder,
    dataDir,
    secrets,
    database,
    connection,
    cluster,
    source,
    path,
    async back(name, { recipients = [], signal = never, onProgress, madeBy = source.version } = {}) {
      const { file } = await createBackup(
        { ...source, version: madeBy },
        { file: path(name), recipients, signal, onProgress },
      );
      return file;
    },
    verify: (file, identities = []) =>
      verifyBackup(openBackupFile(file, identities), {
        folder: path('scratch'),
        version,
        log,
        signal: never,
      }),
    restore(file, target, identities = []) {
      dataDirs.add(target);
      return restoreBackup(openBackupFile(file, identities), {
        dataDir: target,
        hasExternalDatabase: false,
        version,
        log,
        signal: never,
      });
    },
    open: (at) => open(at, secrets.databasePassword),
    async close() {
      await stop();
      for (const each of dataDirs) await removeEmbeddedDatabase(each).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Somebody with an organization, as the database has them. */
export async function addPeople({ database: { db } }: Installation, email: string): Promise<string> {
  const now = new Date();
  const organizationId = createId();
  const userId = createId();
  await db
    .insertInto('organizations')
    .values({ id: organizationId, name: `of ${email}`, created_at: now })
    .execute();
  await db
    .insertInto('users')
    .values({ id: userId, email, password_hash: 'none', locale: 'ru', created_at: now, totp_secret: null })
    .execute();
  await db
    .insertInto('memberships')
    .values({ organization_id: organizationId, user_id: userId, role: 'owner', joined_at: now })
    .execute();
  return userId;
}
