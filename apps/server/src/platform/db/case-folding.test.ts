import { mkdtemp, rm } from 'node:fs/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@pult/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertDatabaseFoldsCase } from './case-folding.ts';

const password = 'a password of the tests';

let dataDir: string;
let database: EmbeddedPostgres;
let pool: pg.Pool;

function connect(name = database.connection.database): pg.Pool {
  const made = new pg.Pool({ ...database.connection, database: name });
  // pool.end() does not wait for the sockets; the database's farewell may still arrive on them.
  made.on('connect', (client) => client.on('error', () => {}));
  made.on('error', () => {});
  return made;
}

beforeAll(async () => {
  dataDir = await mkdtemp('/tmp/pultdb-');
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  database = await startEmbeddedPostgres({ dataDir, password, log });
  pool = connect();
}, 30_000);
afterAll(async () => {
  await pool.end();
  await database.stop();
  await rm(dataDir, { recursive: true });
});

it('the embedded database folds Cyrillic, and checking it leaves nothing behind', async () => {
  await assertDatabaseFoldsCase(pool);
  expect((await pool.query("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")).rowCount).toBe(0);
  const { rows } = await pool.query(
    `SELECT 'ТЁПЛЫЙ' ILIKE '%тёпл%' AS ilike, lower('ТЁПЛЫЙ Straße') AS lower, upper('ёж') AS upper`,
  );
  expect(rows).toEqual([{ ilike: true, lower: 'тёплый straße', upper: 'ЁЖ' }]);
});

it('a trigram index finds Cyrillic of either case', async () => {
  await pool.query('CREATE EXTENSION pg_trgm');
  await pool.query(
    `CREATE TABLE rooms AS SELECT 'Котельная ' || md5(n::text) AS name FROM generate_series(1, 20000) AS n;
     INSERT INTO rooms VALUES ('ТЁПЛЫЙ пол');
     CREATE INDEX rooms_name ON rooms USING gin (name gin_trgm_ops);
     ANALYZE rooms`,
  );
  const query = "SELECT name FROM rooms WHERE name ILIKE '%тёплый%'";
  expect((await pool.query(query)).rows).toEqual([{ name: 'ТЁПЛЫЙ пол' }]);
  const plan = (await pool.query(`EXPLAIN ${query}`)).rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan on rooms_name');
});

describe('refuses', () => {
  it.each([
    ['ascii', "ENCODING 'SQL_ASCII' LOCALE 'C' LOCALE_PROVIDER libc", /not UTF-8/],
    ['c_locale', "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER libc", /not see "Ё" and "ё" as one letter/],
    ['c_letters', "ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'", /pg_trgm/],
  ])('a database made %s', async (name, how, words) => {
    await pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ${how}`);
    const other = connect(name);
    try {
      await expect(assertDatabaseFoldsCase(other)).rejects.toThrow(words);
    } finally {
      await other.end();
    }
  });

  it('a database made as the message says is taken', async () => {
    await pool.query(
      `CREATE DATABASE good TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE 'und'`,
    );
    const other = connect('good');
    try {
      await assertDatabaseFoldsCase(other);
    } finally {
      await other.end();
    }
  });
});
