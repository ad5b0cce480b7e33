import type pg from 'pg';

/** The database cannot do what search and unique addresses rest on; the message says what to change. */
class UnsuitableDatabaseError extends Error {
  override readonly name = 'UnsuitableDatabaseError';
}

const remedy =
  'Create the database with UTF-8 and a locale that knows all letters, for example: ' +
  "CREATE DATABASE pult TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE 'und';";

/**
 * Refuses a database in which upper and lower case of Cyrillic differ for ILIKE, lower() or pg_trgm, by trying them.
 * pg_trgm is tried in a transaction that is rolled back, so nothing is left behind.
 */
export async function assertDatabaseFoldsCase(pool: Pick<pg.Pool, 'connect'>): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ encoding: string; folds: boolean }>(
      `SELECT current_setting('server_encoding') AS encoding,
              'ТЁПЛЫЙ' ILIKE '%тёпл%' AND lower('ТЁПЛЫЙ') = 'тёплый' AND upper('ё') = 'Ё' AS folds`,
    );
    const [row] = rows;
    if (row?.encoding !== 'UTF8') {
      throw new UnsuitableDatabaseError(`The database stores text as ${row?.encoding}, not UTF-8. ${remedy}`);
    }
    if (!row.folds) {
      throw new UnsuitableDatabaseError(
        `The database does not see "Ё" and "ё" as one letter in search. ${remedy}`,
      );
    }
    await assertTrigramsFold(client);
  } finally {
    client.release();
  }
}

async function assertTrigramsFold(client: pg.PoolClient): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch((error: Error) => {
      throw new UnsuitableDatabaseError(
        `The database lacks the extension pg_trgm and it cannot be created (${error.message}). ` +
          'Install it (on Debian: part of package postgresql) or let an administrator run CREATE EXTENSION pg_trgm;',
      );
    });
    // The extension may live in a schema outside the search path.
    const { rows: found } = await client.query<{ name: string }>(
      `SELECT oid::regproc::text AS name FROM pg_proc WHERE proname = 'show_trgm' LIMIT 1`,
    );
    const name = found[0]?.name;
    const { rows } = await client.query<{ folds: boolean }>(
      `SELECT ${name}('ТЁПЛЫЙ') = ${name}('тёплый') AND cardinality(${name}('тёплый')) > 3 AS folds`,
    );
    if (!rows[0]?.folds) {
      throw new UnsuitableDatabaseError(
        `The search index of the database (pg_trgm) takes no Cyrillic for letters, because LC_CTYPE is C. ${remedy}`,
      );
    }
  } finally {
    await client.query('ROLLBACK');
  }
}
