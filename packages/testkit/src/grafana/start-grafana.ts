import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { answerAdministrator } from './grafana-api.ts';
import { createGrafanaState, findByLogin, type GrafanaState } from './grafana-state.ts';

/**
 * A stand-in for Grafana: its HTTP API as it is documented, and pages that only tell whom the auth proxy's header names.
 * Grafana itself is not to be had where the tests run.
 */
export interface GrafanaStandIn extends AsyncDisposable {
  url: string;
  adminUser: string;
  adminPassword: string;
  state: GrafanaState;
  /** What browsers were let through with, newest last. */
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** Calls of the administrator: method and path. */
  calls: string[];
  /** While true every connection is cut. */
  isDown: boolean;
  stop(): Promise<void>;
}

export async function startGrafana(): Promise<GrafanaStandIn> {
  const state = createGrafanaState();
  const sockets = new WebSocketServer({ noServer: true });
  const [adminUser, adminPassword] = ['admin', 'grafana-of-a-test-7'];
  const basic = `Basic ${Buffer.from(`${adminUser}:${adminPassword}`).toString('base64')}`;

  const server = createServer(async (request, response) => {
    if (standIn.isDown) {
      request.socket.destroy();
      return;
    }
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://grafana');
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== undefined) {
      if (request.headers.authorization !== basic)
        return send(401, { message: 'Invalid username or password' });
      standIn.calls.push(`${request.method} ${path}`);
      const body = await text(request);
      const { status, body: answer } = answerAdministrator(state, {
        method: request.method ?? '',
        path,
        query,
        body: body === '' ? {} : JSON.parse(body),
        organizationId: Number(request.headers['x-grafana-org-id'] ?? 1),
      });
      return send(status, answer);
    }
    standIn.requests.push({ path: request.url ?? '', headers: request.headers });
    const login = request.headers['x-webauth-user'];
    const id = findByLogin(state, typeof login === 'string' ? login : undefined);
    const organizationId = Number(request.headers['x-grafana-org-id']);
    const role = id === undefined ? undefined : state.organizations.get(organizationId)?.members.get(id);
    if (role === undefined) return send(401, { message: 'Unauthorized' });
    if (path === '/stream') {
      // One that never ends by itself.
      response.writeHead(200, { 'content-type': 'text/plain' }).write('begun\n');
      return undefined;
    }
    if (path === '/switch') {
      // A change of protocol that nobody asked for.
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
      return undefined;
    }
    response.setHeader('set-cookie', [
      'grafana_session=secret; Path=/',
      'theme=dark; Domain=localhost; Path=/',
    ]);
    return send(200, { login, organizationId, role });
  });
  // However many, as Go does.
  server.maxHeadersCount = 0;
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    standIn.requests.push({ path: request.url ?? '', headers: request.headers });
    if (findByLogin(state, String(request.headers['x-webauth-user'])) === undefined) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('message', (data, binary) => webSocket.send(data, { binary }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  async function stop(): Promise<void> {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  const standIn: GrafanaStandIn = {
    url: `http://127.0.0.1:${port}`,
    adminUser,
    adminPassword,
    state,
    requests: [],
    calls: [],
    isDown: false,
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return standIn;
}
