import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createLog } from '../log.ts';
import { connectDatabase, type DatabaseConnection } from './connect.ts';
import { migrateDatabase } from './migrate.ts';
import type { Database } from './schema.ts';
import { type Columns, readDeclaredColumns } from './schema-types.fixture.ts';

/** `schema.ts` is written by hand, for its unions and comments; here it is held against the migrated database. */

const log = createLog('silent');
const name = `pult_schema_${randomUUID().replaceAll('-', '')}`;
const declared = readDeclaredColumns();
let connection: DatabaseConnection;

async function onServer(statement: string): Promise<void> {
  const admin = connectDatabase({ ...inject('databaseServer'), database: 'postgres' }, log, 1);
  await sql.raw(statement).execute(admin.db);
  await admin.close();
}

/** What the driver makes of a column's type. */
const readAs: Readonly<Record<string, string>> = {
  text: 'string',
  varchar: 'string',
  citext: 'string',
  uuid: 'string',
  inet: 'string',
  int8: 'string',
  numeric: 'string',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  date: 'Date',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
  _text: 'string[]',
};

/** Tables that are ours: no partition of one, and none in which Kysely counts migrations. */
async function readColumns(db: Database): Promise<Columns> {
  const { rows } = await sql<{ table: string; column: string; type: string; isNullable: boolean }>`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as "isNullable"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely_%'`.execute(db);
  return new Map(
    rows.map(({ table, column, type, isNullable }) => [
      `${table}.${column}`,
      { type: readAs[type] ?? type, isNullable },
    ]),
  );
}

/** One line for each difference. */
function compare(types: Columns, database: Columns): string[] {
  return [...new Set([...types.keys(), ...database.keys()])].sort().flatMap((column) => {
    const [type, found] = [types.get(column), database.get(column)];
    if (!type) return [`${column} is not in schema.ts`];
    if (!found) return [`${column} is not in the database`];
    return [
      ...(type.type === found.type ? [] : [`${column} is ${found.type}, not ${type.type}`]),
      ...(type.isNullable === found.isNullable
        ? []
        : [`${column} may ${found.isNullable ? '' : 'not '}be null`]),
    ];
  });
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

describe('the types of the database', () => {
  it('the declared tables, columns, base types and nulls are those of the migrated database', async () => {
    expect(declared.size).toBeGreaterThan(100);
    expect(compare(declared, await readColumns(connection.db))).toEqual([]);
  });

  it.each([
    ['alter table users add column nickname text', 'users.nickname is not in schema.ts'],
    ['alter table users drop column locale', 'users.locale is not in the database'],
    [
      'alter table users alter column totp_last_step type integer',
      'users.totp_last_step is number, not string',
    ],
    ['alter table users alter column totp_secret set not null', 'users.totp_secret may not be null'],
    ['alter table users alter column email drop not null', 'users.email may be null'],
    ['create table visitors (id uuid primary key)', 'visitors.id is not in schema.ts'],
  ])('a drift is found: %s', async (statement, difference) => {
    const transaction = await connection.db.startTransaction().execute();
    await sql.raw(statement).execute(transaction);
    const changed = await readColumns(transaction);
    await transaction.rollback().execute();
    expect(compare(declared, changed)).toContain(difference);
  });
});
