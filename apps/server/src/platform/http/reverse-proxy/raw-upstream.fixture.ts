import { once } from 'node:events';
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listen } from '@pult/testkit/in-test';
import { expect, onTestFinished, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { createCookieFilter } from './cookie-filter.ts';
import type { ProxyPolicy, Refusal } from './policy.ts';
import { createReverseProxy } from './reverse-proxy.ts';
import { createUpstreamPool } from './upstream-pool.ts';

const refusal = (status: number): Refusal => ({
  status,
  logged: {},
  send: (_, response) => void response.writeHead(status).end('refused'),
});

/**
 * A proxy before an upstream that writes each byte itself, by what has come; `greeting` before anything has. `open`: another way to
 * connect.
 */
export async function startProxy(
  serve: (socket: Socket, received: string) => void,
  {
    greeting = '',
    open,
    maxSingleSockets = 1,
    answerTimeoutMs = 10_000,
  }: {
    greeting?: string;
    open?: (openSocket: () => Promise<Duplex>) => Promise<Duplex>;
    maxSingleSockets?: number;
    answerTimeoutMs?: number;
  } = {},
) {
  const connections: Socket[] = [];
  const port = await listen(
    createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => {});
      socket.write(greeting);
      socket.on('data', (bytes) => serve(socket, bytes.toString('latin1')));
    }),
  );
  const openSocket = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await vi.waitFor(() => expect(socket.readableLength).toBe(greeting.length));
    return socket;
  };
  const pool = createUpstreamPool(open ? () => open(openSocket) : openSocket, {
    maxSockets: 1,
    maxFreeSockets: 1,
    // Longer than any test: what closes a connection is the test's subject.
    idleTimeoutMs: 600_000,
    maxSingleSockets,
  });
  onTestFinished(() => pool.destroy());
  const log = Object.assign(createLog('silent'), { warn: vi.fn() });
  const proxy = createReverseProxy(log);
  const handle = { watch() {}, count() {}, charge: () => 0, end() {} };
  const failures: unknown[] = [];
  const policy: ProxyPolicy = {
    origin: 'http://proxy.test',
    addressOf: () => '192.0.2.1',
    admit: async () => ({
      pool,
      connect: openSocket,
      headers: {
        forwardedBy: { address: '192.0.2.1', scheme: 'http', host: 'proxy.test' },
        cookies: createCookieFilter({ isSecure: false }),
      },
      limits: { answerTimeoutMs, allowsLongUploads: true },
      track: () => handle,
    }),
    forbidden: refusal(403),
    unexpectedBody: refusal(400),
    refusalOf(error) {
      failures.push(error);
      return refusal(502);
    },
  };
  const server = createHttpServer((request, response) => proxy.request(request, response, policy));
  server.on('upgrade', (request, socket, head) => proxy.upgrade(request, socket, head, policy));
  const proxyPort = await listen(server);
  const start = (method = 'GET', headers = {}) =>
    httpRequest({ port: proxyPort, host: '127.0.0.1', method, headers, agent: false });
  const finish = async (request: ReturnType<typeof start>) => {
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return [answer.statusCode, await text(answer)];
  };
  return {
    port: proxyPort,
    pool,
    connections,
    /** What the refusals were for. */
    failures,
    log,
    start,
    finish,
    send: (method?: string) => finish(start(method).end()),
  };
}
