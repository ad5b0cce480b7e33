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

/** Nobody misses this database after a power cut. It commits at once: vacuum shows nothing whose commit is still under way. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  autovacuum: 'off',
};

/** Vitest's global set-up: starts a real PostgreSQL and migrates a template, which each test file copies. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pult-tests-'));
  const log = createLog('silent');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password: 'only-for-tests-1234567890',
    log,
    settings,
  });
  const template = connectDatabase(postgres.connection, log, 1);
  await migrateDatabase(template, log);
  await template.close();
  project.provide('databaseServer', { ...postgres.connection });
  return async () => {
    await postgres.stop();
    await removeEmbeddedDatabase(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
}
