import { randomBytes } from 'node:crypto';
import {
  type ConnectionSettings,
  connectDatabase,
  createLog,
  type DatabaseConnection,
} from '@pult/server/testing';
import { inject as provided } from 'vitest';

export interface TestDatabase extends DatabaseConnection {
  /** Closes the connection; what is in the database is gone. */
  discard(): Promise<void>;
}

const log = createLog('silent');
/** Emptied ones of this worker. A copy of the template costs the processor as much as many tests. */
const emptied: string[] = [];
/** One that has grown to more is not emptied: what its tables have left behind would slow the next tests. */
const maxBytes = 16 << 20;

function settingsOf(database: string): ConnectionSettings {
  return { ...provided('databaseServer'), database };
}

async function runIn<T>(database: string, run: (pool: DatabaseConnection['pool']) => Promise<T>): Promise<T> {
  const connection = connectDatabase(settingsOf(database), log, 1);
  try {
    return await run(connection.pool);
  } finally {
    await connection.close();
  }
}

async function copyTemplate(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = provided('databaseServer').database;
  await runIn('postgres', (pool) => pool.query(`create database ${name} template ${template}`));
  return name;
}

/** Without triggers, which count rows, and without the order that references ask for. */
const emptyTables = `
  set session_replication_role = replica;
  do $$
  declare
    name regclass;
  begin
    for name in
      select oid from pg_class
      where relkind = 'r' and pg_relation_size(oid) > 0
        and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and relname not in ('kysely_migration', 'kysely_migration_lock', 'migrations')
    loop
      execute format('delete from %s', name);
    end loop;
    perform setval(oid, 1, false) from pg_class where relkind = 'S';
  end $$`;

/** Returns false for one that is better dropped. */
async function empty(pool: DatabaseConnection['pool']): Promise<boolean> {
  // Whatever a test has left open holds its locks.
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const { rows } = await pool.query('select pg_database_size(current_database())::int as bytes');
  if (rows[0].bytes > maxBytes) return false;
  await pool.query(emptyTables);
  return true;
}

async function leave(name: string): Promise<void> {
  if (await runIn(name, empty)) emptied.push(name);
  else await runIn('postgres', (pool) => pool.query(`drop database ${name} with (force)`));
}

/** A migrated database without a row, for one test server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = emptied.pop() ?? (await copyTemplate());
  const connection = connectDatabase(settingsOf(name), log, 10);
  return {
    ...connection,
    async discard() {
      await connection.close();
      await leave(name);
    },
  };
}
