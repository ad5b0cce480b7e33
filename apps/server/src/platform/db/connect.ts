import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import type { Database, DatabaseSchema } from './schema.ts';

export interface DatabaseConnection {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

export type ConnectionSettings =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string };

/**
 * Opens the pool. Connections that break while idle are replaced at the next use; a statement that runs for
 * over 30 s is ended by the server, so that no request can hang on the database.
 */
export function connectDatabase(
  settings: ConnectionSettings,
  log: Logger,
  size = 20,
  tracing: Tracing = noTracing,
): DatabaseConnection {
  const pool = new pg.Pool({
    ...('url' in settings ? { connectionString: settings.url } : settings),
    max: size,
    application_name: 'pult',
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  const report = (error: Error) => log.warn({ err: error }, 'database connection lost');
  pool.on('error', report);
  // A connection that breaks while it is checked out reports here; its query fails as well.
  pool.on('connect', (client) => client.on('error', report));
  const db = new Kysely<DatabaseSchema>({
    dialect: new PostgresDialect({ pool }),
    ...(tracing.isOn ? { log: (event) => noteStatement(tracing, event) } : {}),
  });
  return { db, pool, close: () => db.destroy() };
}

function noteStatement(tracing: Tracing, event: LogEvent): void {
  tracing.noteStatement({
    text: event.query.sql,
    durationMs: event.queryDurationMillis,
    ...(event.level === 'error' ? { error: event.error } : {}),
  });
}
