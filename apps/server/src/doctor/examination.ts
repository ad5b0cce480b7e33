import { findRunningPostgres } from '@pult/embedded-postgres';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import { readSecrets } from '../config/secrets.ts';
import type { ConnectionSettings } from '../platform/db/connect.ts';
import { type Ask, createAsk } from './ask.ts';

/** What all checks share; each part is looked at once, when the first asks for it. */
export interface Examination {
  readonly config: Config;
  /** Fires when the examination is over. */
  readonly signal: AbortSignal;
  /** Of all that one check does. */
  readonly timeoutMs: number;
  /** Of each of a few questions that follow each other. */
  readonly stepMs: number;
  readonly ask: Ask;
  /** Whether a server answers at HOST and PORT. */
  isRunning(): Promise<boolean>;
  /** A connection; undefined where the embedded database does not run. Rejects where there is none to be had. */
  openDatabase(): Promise<pg.Client | undefined>;
  /** Controllers that there are, or may be; undefined where nobody can tell. */
  countControllers(): Promise<number | undefined>;
  close(): Promise<void>;
}

export function createExamination(config: Config, signal: AbortSignal, timeoutMs: number): Examination {
  const stepMs = timeoutMs * 0.3;
  const ask = createAsk(signal, stepMs);
  let database: Promise<pg.Client | undefined> | undefined;
  let running: Promise<boolean> | undefined;

  async function connect(): Promise<pg.Client | undefined> {
    const settings = await findSettings(config);
    if (!settings) return undefined;
    const client = new pg.Client({
      ...('url' in settings ? { connectionString: settings.url } : settings),
      application_name: 'pult doctor',
      connectionTimeoutMillis: timeoutMs * 0.8,
      statement_timeout: timeoutMs * 0.8,
      query_timeout: timeoutMs * 0.8,
    });
    // A connection that breaks makes its query fail too.
    client.on('error', () => {});
    // It may be cut while it is still being made.
    signal.addEventListener('abort', () => destroy(client), { once: true });
    await client.connect();
    return client;
  }

  const openDatabase = () => {
    database ??= connect();
    return database;
  };

  return {
    config,
    signal,
    timeoutMs,
    stepMs,
    ask,
    openDatabase,
    isRunning() {
      const { host, port, isSecure } = config.http;
      const address = ['0.0.0.0', '::', '*'].includes(host) ? '127.0.0.1' : host;
      running ??= ask(new URL(`${isSecure ? 'https' : 'http'}://localhost:${port}/healthz`), {
        connectTo: address,
        isTrusting: true,
      }).then(
        ({ status, text }) => status === 200 && text.includes('"ok"'),
        () => false,
      );
      return running;
    },
    async countControllers() {
      const { maxActivatedControllers } = config.settings;
      const limit = maxActivatedControllers > 0 ? maxActivatedControllers : undefined;
      try {
        const client = await openDatabase();
        const found = await client?.query<{ count: number }>(
          'select count(*)::int as count from controllers',
        );
        return found?.rows[0]?.count ?? limit;
      } catch {
        return limit; // The check of the database says why.
      }
    },
    async close() {
      const client = await Promise.race([database?.catch(() => undefined), undefined]);
      if (client) destroy(client);
    },
  };
}

async function findSettings({ data, database }: Config): Promise<ConnectionSettings | undefined> {
  if (database.url !== undefined) return { url: database.url };
  const secrets = await readSecrets(data.dir);
  return secrets && findRunningPostgres(data.dir, secrets.databasePassword);
}

/** A polite goodbye would wait for a peer that hangs. */
function destroy(client: pg.Client): void {
  // Not in the types: the socket under the connection.
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}
