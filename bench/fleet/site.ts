import { randomBytes } from 'node:crypto';
import { type ConnectionSettings, findDatabase } from '@pult/server/database';
import { createApiClient, ResourceStack, type ServerProcess, startServerProcess } from '@pult/testkit';
import { type Client, connectClient } from './client.ts';
import { seedFleet } from './seed.ts';

/** The built server with a large fleet, and a way to its database. */
export interface FleetSite extends AsyncDisposable {
  server: ServerProcess;
  /** For the Authorization header. */
  access: string;
  organizationId: string;
  settings: ConnectionSettings;
  client: Client;
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

/** Without an address: on the embedded database. */
export async function startFleetSite(databaseUrl?: string): Promise<FleetSite> {
  const stack = new ResourceStack();
  try {
    const url = databaseUrl === undefined ? undefined : await createDatabase(stack, databaseUrl);
    const env = { LOG_LEVEL: 'warn', ...(url === undefined ? {} : { DATABASE_URL: url }) };
    const server = stack.use(await startServerProcess({ env }));
    const settings = url ? { url } : await findDatabase(server.dataDir);
    const { client, close } = await connectClient(settings);
    stack.use({ [Symbol.asyncDispose]: close });
    const { call, access } = await createApiClient({
      baseUrl: server.url,
      username: server.adminEmail,
      password: server.adminPassword,
    });
    const [organization] = await call('listOrganizations');
    if (!organization) throw new Error('there is no organization');
    await seedFleet(client, organization.id);
    return {
      server,
      access,
      organizationId: organization.id,
      settings,
      client,
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
