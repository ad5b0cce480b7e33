import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { connectDatabase, type DatabaseConnection } from './connect.ts';
import { assertCurrentSchema, estimateMigrations, migrateDatabase, readSchemaState } from './migrate.ts';
import { migrationCosts } from './migrations/costs.ts';
import { migrations } from './migrations/index.ts';

const log = createLog('silent');
const name = `pult_migrate_${randomUUID().replaceAll('-', '')}`;
let connection: DatabaseConnection;

async function onServer(statement: string): Promise<void> {
  const admin = connectDatabase({ ...inject('databaseServer'), database: 'postgres' }, log, 1);
  await sql.raw(statement).execute(admin.db);
  await admin.close();
}

beforeAll(async () => {
  await onServer(`create database ${name}`);
  connection = connectDatabase({ ...inject('databaseServer'), database: name }, log, 2);
  await migrateDatabase(connection, log);
});
afterAll(async () => {
  await connection.close();
  await onServer(`drop database ${name}`);
});

const rename = (from: string, to: string) =>
  sql`update kysely_migration set name = ${to} where name = ${from}`.execute(connection.db);

it('leaves a database alone that is up to date', async () => {
  await expect(migrateDatabase(connection, log)).resolves.toBeUndefined();
});

it('says plainly that a data folder of an older server cannot be used, and what to do', async () => {
  await rename('0001-initial', '0001-first');
  await expect(migrateDatabase(connection, log)).rejects.toThrow(
    'This data folder is of an older Pult and cannot be used: its database has the migration 0001-first, ' +
      'which this server does not know. Name an empty folder in DATA_DIR, or an empty database in DATABASE_URL.',
  );
  await rename('0001-first', '0001-initial');
});

const setReadableSince = (version: string) =>
  connection.db.updateTable('schema_compatibility').set({ readable_since: version }).execute();

it('says plainly that a data folder of a newer server cannot be used, and which one can use it', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(connection.db);
  await setReadableSince('2.1.0');
  await expect(migrateDatabase(connection, log, { version: '2.0.9' })).rejects.toThrow(
    /is of a newer Pult and cannot be used: .* 9999-future, .*Install Pult 2\.1\.0 or newer again/,
  );
  await expect(assertCurrentSchema(connection.db, '2.0.9')).rejects.toThrow(/is of a newer Pult/);
  await sql`delete from kysely_migration where name = '9999-future'`.execute(connection.db);
});

it('goes on with a schema that a newer server has widened, as long as that says so', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(connection.db);
  await setReadableSince('2.1.0');
  await migrateDatabase(connection, log, { version: '2.1.0' });
  await assertCurrentSchema(connection.db, '2.1.0');
  await sql`delete from kysely_migration where name = '9999-future'`.execute(connection.db);
});

it('asks for what is to be done before the change of a schema that has data, and changes nothing when that fails', async () => {
  const beforeChange = vi.fn(() => Promise.reject(new Error('no room')));
  await migrateDatabase(connection, log, { beforeChange });
  expect(beforeChange).not.toHaveBeenCalled();
  const [before, last] = Object.keys(migrations).slice(-2);
  await sql`delete from kysely_migration where name = ${last}`.execute(connection.db);
  await expect(migrateDatabase(connection, log, { beforeChange })).rejects.toThrow('no room');
  const state = await readSchemaState(connection.db);
  expect(state).toMatchObject({ current: before, pending: [last], isEmpty: false });
  await expect(assertCurrentSchema(connection.db)).rejects.toThrow(/1 migrations behind/);
  await sql`insert into kysely_migration (name, timestamp) values (${last}, '')`.execute(connection.db);
});

it('cuts no migration off, however long its statements take', async () => {
  let timeout = '';
  migrations['9999-long'] = {
    async up(db) {
      const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
      timeout = rows[0]?.statement_timeout ?? '';
    },
  };
  try {
    await migrateDatabase(connection, log);
  } finally {
    delete migrations['9999-long'];
    await sql`delete from kysely_migration where name = '9999-long'`.execute(connection.db);
  }
  expect(timeout).toBe('0');
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(connection.db);
  expect(rows[0]?.statement_timeout).toBe('30s');
});

it('what each migration takes is measured, but for those that made empty tables', async () => {
  const withData = Object.keys(migrations).filter((each) => each > '0003-fleet');
  const { unmeasured } = await estimateMigrations(connection.db, { pending: withData });
  expect(unmeasured, 'npm run bench migrations gives the rows of migrations/costs.ts').toEqual([]);
  expect(Object.keys(migrationCosts)).toEqual(withData);
});

it('estimates by the number of controllers, and names what nobody has measured', async () => {
  const estimate = (pending: string[]) => estimateMigrations(connection.db, { pending });
  const few = await estimate(['0004-fleet-speed', '9999-long']);
  expect(few.unmeasured).toEqual(['9999-long']);
  await sql`update pg_class set reltuples = 100000 where oid = 'controllers'::regclass`.execute(
    connection.db,
  );
  const many = await estimate(['0004-fleet-speed']);
  await sql`analyze controllers`.execute(connection.db);
  expect(many.milliseconds).toBeGreaterThan(few.milliseconds * 10);
});
