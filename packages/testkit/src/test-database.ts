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
/** What a copy is before anything is done to it. */
let copied: Promise<Shape> | undefined;
/** One that has grown to more is not used again: its catalogs would slow the next tests. */
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
  copied ??= runIn(name, readShape);
  await copied;
  return name;
}

/** Truncated and not deleted from: what is left of deleted rows would bring the order of new ones into disorder. */
const emptyTables = `
  do $$
  declare
    names text;
  begin
    select string_agg(oid::regclass::text, ', ') into names from pg_class
    where relkind = 'r' and pg_relation_size(oid) > 0
      and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      and relname not in ('kysely_migration', 'kysely_migration_lock', 'migrations');
    if names is not null then
      execute format('truncate %s restart identity cascade', names);
    end if;
  end $$`;

interface Shape {
  /** Tells one schema from another, and what it says of itself: tests change theirs, and the server adds tables for what it measures. */
  schema: string;
  bytes: number;
}

async function readShape(pool: DatabaseConnection['pool']): Promise<Shape> {
  const { rows } = await pool.query(`
    select md5(string_agg(part, ' ' order by part)) as schema, pg_database_size(current_database())::int as bytes
    from (
      select format('%s.%s %s %s', relname, attname, atttypid, attnotnull) from pg_attribute
        join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and attnum > 0
      union all select format('%s %s', conrelid, conname) from pg_constraint
      union all select format('%s %s', tgrelid, tgname) from pg_trigger
      union all select name from kysely_migration
    ) as parts (part)`);
  return rows[0];
}

/** Returns false for one that is better dropped. */
async function empty(pool: DatabaseConnection['pool']): Promise<boolean> {
  // Whatever a test has left open holds its locks.
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const { schema, bytes } = await readShape(pool);
  if (bytes > maxBytes || schema !== (await copied)?.schema) return false;
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
  let isDiscarded = false;
  return {
    ...connection,
    async discard() {
      // Two tests would get it next, at once.
      if (isDiscarded) throw new Error('a test database is discarded a second time');
      isDiscarded = true;
      await connection.close();
      await leave(name);
    },
  };
}
