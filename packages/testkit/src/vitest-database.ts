import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ConnectionSettings,
  connectDatabase,
  createLog,
  migrateDatabase,
  removeEmbeddedDatabase,
  startEmbeddedPostgres,
} from '@pult/server/testing';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the one PostgreSQL of this run; its database `pult` is the migrated template of all others. */
    databaseServer: Extract<ConnectionSettings, { host: string }>;
  }
}

const log = createLog('silent');
/** Nobody misses this database after a power cut. It commits at once: vacuum shows nothing whose commit is still under way. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  autovacuum: 'off',
  // Of all test files that run at once, and of the servers that they start.
  max_connections: '200',
};

/** Names a port on this machine where a PostgreSQL of somebody's own is used instead, by its user `pult`, who needs no password. */
export const databasePortVariable = 'TEST_DATABASE_PORT';

interface DatabaseServer {
  connection: Extract<ConnectionSettings, { host: string }>;
  stop(): Promise<void>;
}

async function startOurs(): Promise<DatabaseServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pult-tests-'));
  const password = 'only-for-tests-1234567890';
  const postgres = await startEmbeddedPostgres({ dataDir, password, log, settings });
  return {
    connection: postgres.connection,
    async stop() {
      await postgres.stop();
      await removeEmbeddedDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const findTheirs = (port: number): DatabaseServer => ({
  connection: { host: '127.0.0.1', port, user: 'pult', password: '', database: 'pult' },
  stop: async () => {},
});

/** Vitest's global set-up: a real PostgreSQL with a migrated template, which each test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const theirs = process.env[databasePortVariable];
  const server = theirs === undefined ? await startOurs() : findTheirs(Number(theirs));
  const template = connectDatabase(server.connection, log, 1);
  await migrateDatabase(template, log);
  await template.close();
  project.provide('databaseServer', { ...server.connection });
  return server.stop;
}
