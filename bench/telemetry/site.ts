import { findDatabase } from '@pult/server/database';
import {
  type ApiClient,
  createApiClient,
  ResourceStack,
  type ServerProcess,
  startServerProcess,
} from '@pult/testkit';
import { type Client, connectClient } from '../fleet/client.ts';

/** The built server on its embedded database, and a way into that. */
export interface TelemetrySite extends AsyncDisposable {
  server: ServerProcess;
  api: ApiClient;
  organization: string;
  client: Client;
}

export async function startTelemetrySite(env: Record<string, string> = {}): Promise<TelemetrySite> {
  const stack = new ResourceStack();
  try {
    const server = stack.use(await startServerProcess({ env: { LOG_LEVEL: 'warn', ...env } }));
    const { client, close } = await connectClient(await findDatabase(server.dataDir));
    stack.use({ [Symbol.asyncDispose]: close });
    const api = await createApiClient({
      baseUrl: server.url,
      username: server.adminEmail,
      password: server.adminPassword,
    });
    const [organization] = await api.call('listOrganizations');
    if (!organization) throw new Error('there is no organization');
    return {
      server,
      api,
      organization: organization.id,
      client,
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
