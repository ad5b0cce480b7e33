import { freePort } from './free-port.ts';
import { createTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

/** A test server that listens, at the very port its PUBLIC_URL names. */
export interface ListeningServer extends TestServer {
  port: number;
}

export async function createListeningServer(options: TestServerOptions = {}): Promise<ListeningServer> {
  const port = Number(options.environment?.PORT ?? (await freePort()));
  const environment = {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    ...options.environment,
  };
  const server = await createTestServer({ ...options, environment });
  await server.server.listen();
  return { ...server, port };
}
