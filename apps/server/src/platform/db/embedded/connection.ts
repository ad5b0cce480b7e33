import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { role } from './cluster.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { port } from './settings.ts';

/** For `new pg.Pool(connection)`. `host` is the folder of the Unix socket. */
export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const database = 'pult';

export const connectionAt = (runFolder: string, password: string): Connection => ({
  host: runFolder,
  port,
  user: role,
  password,
  database,
});

export async function hasSocket(runFolder: string): Promise<boolean> {
  const found = await stat(join(runFolder, `.s.PGSQL.${port}`)).catch(() => undefined);
  return found?.isSocket() ?? false;
}

/** Waits until the database answers, and makes it in a new cluster. Stops waiting when `signal` aborts. */
export async function waitUntilReady(connection: Connection, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await query(connection, 'SELECT 1');
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '3D000') await createDatabase(connection);
      else if (code === '28P01') throw wrongPassword();
      // Not there yet, or starting up, recovering or shutting down (57P03).
      else if (!['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03'].includes(code ?? '')) throw error;
      await wait(10);
    }
  }
}

async function createDatabase(connection: Connection): Promise<void> {
  await query({ ...connection, database: 'postgres' }, `CREATE DATABASE ${database}`).catch((error) => {
    if ((error as { code?: string }).code !== '42P04') throw error;
  });
}

const wrongPassword = () =>
  new EmbeddedDatabaseError(
    'The embedded database does not accept the password in secrets.json: database and secrets are not of one data folder. ' +
      'Restore both from the same backup.',
  );

async function query(connection: Connection, sql: string): Promise<void> {
  // Loaded while the database starts.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while idle reports it here as well as in the query.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
