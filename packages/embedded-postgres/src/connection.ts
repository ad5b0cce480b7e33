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
  /** Settings of each session, above those of the database. */
  readonly options?: string;
}

const database = 'pult';

export const connectionAt = (runFolder: string, password: string, options?: string): Connection => ({
  host: runFolder,
  port,
  user: role,
  password,
  database,
  ...(options === undefined ? {} : { options }),
});

export async function hasSocket(runFolder: string): Promise<boolean> {
  const found = await stat(join(runFolder, `.s.PGSQL.${port}`)).catch(() => undefined);
  return found?.isSocket() ?? false;
}

/**
 * Waits until the database answers, and makes it in a new cluster. Stops waiting when `signal` aborts. A connection or an
 * answer that takes longer than `attemptMs` is given up and tried again.
 */
export async function waitUntilReady(
  connection: Connection,
  signal: AbortSignal,
  attemptMs = 5_000,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      await query(connection, 'SELECT 1', attemptMs);
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '28P01') throw wrongPassword();
      if (code !== '3D000' && !isNotThereYet(error)) throw error;
      if (code === '3D000') await createDatabase(connection, attemptMs);
      await wait(10);
    }
  }
}

/** False where it is going, or nobody listens: a server that was killed with its supervisor leaves its socket. */
export async function isAnswering(connection: Connection): Promise<boolean> {
  try {
    await query(connection, 'SELECT 1', 5_000);
    return true;
  } catch (error) {
    if (isNotThereYet(error)) return false;
    if ((error as { code?: string }).code === '28P01') throw wrongPassword();
    throw error;
  }
}

/**
 * Nobody listens, or it is starting up, recovering or shutting down (57P03). Or nothing came in time, for which pg has no
 * code: a machine with much to do answers later, and may have kept this process from reading the answer.
 */
function isNotThereYet(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined) return ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', '57P03'].includes(code);
  return ['timeout expired', 'Query read timeout', 'Connection terminated unexpectedly'].includes(
    message ?? '',
  );
}

/** What comes of it the next attempt sees. */
async function createDatabase(connection: Connection, attemptMs: number): Promise<void> {
  const statement = `CREATE DATABASE ${database}`;
  await query({ ...connection, database: 'postgres' }, statement, attemptMs).catch((error) => {
    if ((error as { code?: string }).code !== '42P04' && !isNotThereYet(error)) throw error;
  });
}

const wrongPassword = () =>
  new EmbeddedDatabaseError(
    'The embedded database does not accept the password in secrets.json: database and secrets are not of one data folder. ' +
      'Restore both from the same backup.',
  );

async function query(connection: Connection, sql: string, attemptMs: number): Promise<void> {
  // Loaded while the database starts.
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: attemptMs,
    query_timeout: attemptMs,
  });
  // A connection that breaks while idle reports it here as well as in the query.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}
