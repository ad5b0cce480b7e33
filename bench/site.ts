import { randomBytes } from 'node:crypto';
import { type ConnectionSettings, connectDatabase, createLog, findDatabase } from '@pult/server/database';
import {
  type ApiClient,
  createApiClient,
  HttpClient,
  poll,
  ResourceStack,
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '@pult/testkit';
import type { PoolClient } from 'pg';
import type { Door } from './tunnel/download.ts';

/** One connection, on which settings last. */
export type Client = PoolClient;

/** The built server that is measured, and a way to its database. */
export interface BenchSite extends AsyncDisposable {
  /** Of whatever ends with it. */
  stack: ResourceStack;
  server: ServerProcess;
  settings: ConnectionSettings;
  client: Client;
  /** The first administrator's. */
  organizationId: string;
  /** As the first administrator. */
  logIn(): Promise<ApiClient>;
}

/** Without the server's limit of 30 s a statement: building a fleet takes longer. */
export async function connectClient(
  settings: ConnectionSettings,
): Promise<{ client: Client; close(): Promise<void> }> {
  const { pool, close } = connectDatabase(settings, createLog('silent'), 1);
  const client = await pool.connect();
  // Where the server ends, its database does.
  client.on('error', () => {});
  await client.query('set statement_timeout = 0');
  return {
    client,
    close: () => {
      client.release();
      return close();
    },
  };
}

/** A database of its own on that PostgreSQL, dropped in the end. */
async function createDatabase(stack: ResourceStack, databaseUrl: string): Promise<string> {
  const name = `pult_bench_${randomBytes(4).toString('hex')}`;
  const run = async (statement: string) => {
    const { client, close } = await connectClient({ url: databaseUrl });
    await client.query(statement).finally(close);
  };
  await run(`create database ${name}`);
  stack.use({ [Symbol.asyncDispose]: () => run(`drop database ${name} with (force)`) });
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

interface SiteOptions extends ServerProcessOptions {
  /** Of a PostgreSQL; without it the embedded one. */
  databaseUrl?: string | undefined;
}

/** What `make` returns, and with it the end of all that it put on the stack; where it fails all of that ends at once. */
export async function assemble<T extends object>(
  make: (stack: ResourceStack) => Promise<T>,
): Promise<T & AsyncDisposable> {
  const stack = new ResourceStack();
  try {
    return Object.assign(await make(stack), {
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    });
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

/** What `prepare` makes of it is there, too: a fleet, a linked device. */
export function startBenchSite<T = unknown>(
  { databaseUrl, ...options }: SiteOptions = {},
  prepare?: (site: BenchSite) => Promise<T>,
): Promise<BenchSite & T> {
  return assemble(async (stack) => {
    const url = databaseUrl === undefined ? undefined : await createDatabase(stack, databaseUrl);
    const env = { LOG_LEVEL: 'warn', ...options.env, ...(url === undefined ? {} : { DATABASE_URL: url }) };
    const server = stack.use(await startServerProcess({ ...options, env }));
    const settings = url === undefined ? await findDatabase(server.dataDir) : { url };
    const { client, close } = await connectClient(settings);
    stack.use({ [Symbol.asyncDispose]: close });
    const { rows } = await client.query('select id from organizations');
    const { url: baseUrl, adminEmail: username, adminPassword: password } = server;
    const site: BenchSite = {
      stack,
      server,
      settings,
      client,
      organizationId: String(rows[0]?.id),
      logIn: () => createApiClient({ baseUrl, username, password }),
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
    return Object.assign(site, await prepare?.(site));
  });
}

/** Resolves when that controller is online. */
export async function claim(
  api: ApiClient,
  { token, organization, serialNumber }: { token: string; organization: string; serialNumber: string },
): Promise<void> {
  await api.call('activateController', { body: { token, organization } });
  const isOnline = async () =>
    (await api.call('getController', { params: { serialNumber } })).status === 'online';
  await poll(isOnline, { what: 'the controller is online', timeoutMs: 120_000 });
}

/** The web interface of a controller, opened and asked at that port. */
export async function openDoor(api: ApiClient, serialNumber: string, port: number): Promise<Door> {
  const { tunnelRedirectUrl } = await api.call('openTunnel', { params: { serialNumber, protocol: 'http' } });
  const client = new HttpClient({ port });
  const answer = await client.request(tunnelRedirectUrl, { followRedirects: true });
  await answer.text();
  const { host, hostname } = new URL(answer.url);
  const cookie = client.cookies.getHeader(hostname);
  if (answer.status !== 200 || !cookie) throw new Error(`the tunnel answered ${answer.status}`);
  return { port, headers: { host, cookie } };
}
