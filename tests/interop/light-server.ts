import { randomBytes } from 'node:crypto';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from '@pult/testkit';
import pg from 'pg';
import { inject } from 'vitest';
import { type Site, type SiteOptions, startSite } from './site.ts';

function urlOf(database: string): string {
  const { host, port, user, password } = inject('databaseServer');
  const url = new URL(`postgresql://localhost/${database}`);
  Object.assign(url, { username: user, password });
  // The folder of its socket, or a host.
  url.search = new URLSearchParams({ host, port: String(port) }).toString();
  return url.href;
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A migrated database of the tests' own PostgreSQL, gone at the end. */
export async function lendDatabase(): Promise<AsyncDisposable & { url: string }> {
  const name = `lent_${randomBytes(8).toString('hex')}`;
  await run(`create database ${name} template ${inject('databaseServer').database}`);
  return {
    url: urlOf(name),
    [Symbol.asyncDispose]: () => run(`drop database ${name} with (force)`),
  };
}

/**
 * A server process on a database that is lent: its start makes no cluster and no tables, which is nearly half of what a first start
 * takes of the processor. For what is not about the database of a data folder.
 */
export async function startLightServer(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const database = await lendDatabase();
  try {
    const server = await startServerProcess({
      ...options,
      env: { ...options.env, DATABASE_URL: database.url },
    });
    const stop = async () => {
      try {
        await server.stop();
      } finally {
        await database[Symbol.asyncDispose]();
      }
    };
    // With the getter of the process that runs at the moment.
    return Object.assign(Object.create(server), { stop, [Symbol.asyncDispose]: stop });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** A site with such a server. */
export const startLightSite = (options: Omit<SiteOptions, 'startServer'> = {}): Promise<Site> =>
  startSite({ ...options, startServer: startLightServer });
