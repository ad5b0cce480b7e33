import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { noTracing, type Tracing } from '../tracing/tracing.ts';
import { createAnswerLimit } from './answer-limit.ts';
import { isFailover } from './outage.ts';
import type { Database, DatabaseSchema } from './schema.ts';

export interface DatabaseConnection {
  db: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

export type ConnectionSettings =
  | { url: string }
  | { host: string; port: number; user: string; password: string; database: string };

/** The server ends a statement that runs for longer, so that no request can hang on the database. */
const statementMs = 30_000;

/**
 * Opens the pool. Connections that break while idle are replaced at the next use, and so is one on which nothing is answered for
 * `answerMs`: TCP alone would wait for a quarter of an hour.
 */
export function connectDatabase(
  settings: ConnectionSettings,
  log: Logger,
  size = 20,
  tracing: Tracing = noTracing,
  answerMs = statementMs + 5_000,
): DatabaseConnection {
  const config = {
    ...('url' in settings ? { connectionString: settings.url } : settings),
    max: size,
    application_name: 'pult',
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: 60_000,
    // A machine that has lost its power answers nothing.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new FailoverPool(config, answerMs);
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

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: unknown) => void,
) => void;

/**
 * A pool that is thrown away when the server says that it is not the one that takes writes, or that it ends, or says nothing at all: behind
 * one address there may be another one by now, and connections to this one would live on for long.
 */
class FailoverPool extends pg.Pool {
  #generation = 0;
  readonly #generations = new WeakMap<pg.PoolClient, number>();

  readonly #answerMs: number;

  constructor(config: pg.PoolConfig, answerMs: number) {
    super(config);
    this.#answerMs = answerMs;
    this.on('connect', (client) => {
      this.#generations.set(client, this.#generation);
      this.#watch(client);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(done: Connected): undefined;
  override connect(done?: Connected): Promise<pg.PoolClient> | undefined {
    const client = this.#connect();
    if (!done) return client;
    client.then(
      (given) => done(undefined, given, (error) => given.release(error as Error | undefined)),
      (error: Error) => done(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if (this.#generations.get(client) === this.#generation) return client;
      client.release(true);
    }
  }

  #watch(client: pg.PoolClient): void {
    const ofClass = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
    const query = (...given: unknown[]) => ofClass.query.apply(client, given);
    const limit = createAnswerLimit(this.#answerMs, () => {
      this.#leave(client);
      // With a statement on its way that cuts the connection, by which the statement fails.
      client.end().catch(() => {});
    });
    const watched = (...given: unknown[]) => {
      const done = given.at(-1);
      if (typeof done === 'function') {
        const note = (error: Error | undefined, ...rest: unknown[]) => {
          if (error) this.#note(client, error);
          done(error, ...rest);
        };
        return query(...given.slice(0, -1), note);
      }
      const result = query(...given);
      if (result instanceof Promise) {
        result.catch((error: Error) => this.#note(client, error));
        limit(readText(given[0]), result);
      }
      return result;
    };
    // One function with the signatures of the one before.
    client.query = watched as typeof client.query;
  }

  #note(client: pg.PoolClient, error: Error): void {
    if (isFailover(error)) this.#leave(client);
  }

  #leave(client: pg.PoolClient): void {
    // Many say it at once, of the same connections.
    if (this.#generations.get(client) === this.#generation) this.#generation += 1;
  }
}

/** Of a statement as it is given to a connection. */
function readText(given: unknown): string {
  if (typeof given === 'string') return given;
  return given instanceof Object && 'text' in given ? String(given.text) : '';
}
