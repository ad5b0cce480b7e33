import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen } from '@pult/testkit/in-test';
import { expect, it, vi } from 'vitest';
import { createCookieFilter } from './cookie-filter.ts';
import { proxyRequest } from './proxy-request.ts';
import { UpstreamTimeoutError } from './upstream-error.ts';
import { createUpstreamPool } from './upstream-pool.ts';

/** A proxy before an upstream: its port, and what it was told of. */
async function startProxy(
  upstream: RequestListener,
  {
    answerTimeoutMs = 10_000,
    allowsLongUploads = false,
    onPieces = (_: number): number => 0,
    isTls = false,
  } = {},
) {
  const port = await listen(
    isTls
      ? createHttpsServer({ cert: testCertificate, key: testPrivateKey }, upstream)
      : createServer(upstream),
  );
  const pool = createUpstreamPool(
    async () => {
      const socket = isTls
        ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
        : connect(port, '127.0.0.1');
      await once(socket, isTls ? 'secureConnect' : 'connect');
      return socket;
    },
    { maxSockets: 1, maxFreeSockets: 1, idleTimeoutMs: 1_000, maxSingleSockets: 1 },
  );
  const onFailure = vi.fn();
  const onEnd = vi.fn();
  const proxyPort = await listen(
    createServer((request, response) => {
      response.on('close', onEnd);
      proxyRequest(
        request,
        response,
        {
          pool,
          headers: {
            forwardedBy: { address: '192.0.2.1', scheme: 'http', host: 'proxy.test' },
            cookies: createCookieFilter({ isSecure: false }),
          },
          limits: { answerTimeoutMs, allowsLongUploads },
        },
        {
          onFailure(error) {
            onFailure(error);
            response.writeHead(503).end();
          },
          onConnection() {},
          onPieces,
          onEventStream() {},
          onBytes() {},
        },
      );
    }),
  );
  return { port: proxyPort, onFailure, onEnd };
}

/** An upload that goes on for ever, a byte every 20 ms. */
function startUpload(port: number) {
  const upload = httpRequest({ port, host: '127.0.0.1', method: 'POST' });
  upload.on('error', () => {});
  const timer = setInterval(() => upload.write('x'), 20);
  upload.on('close', () => clearInterval(timer));
  return upload;
}

it('blames no upstream when the browser leaves before the answer', async () => {
  const asked = vi.fn();
  let hasLeft = () => {};
  const left = new Promise<void>((resolve) => {
    hasLeft = resolve;
  });
  const proxy = await startProxy((request, response) => {
    asked();
    request.resume();
    response.on('close', hasLeft);
  });
  const browser = httpRequest({ port: proxy.port, host: '127.0.0.1' });
  browser.on('error', () => {});
  browser.end();
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  browser.destroy();
  await left;
  expect(proxy.onEnd).toHaveBeenCalled();
  expect(proxy.onFailure).not.toHaveBeenCalled();
});

it('gives up an upload that outlasts the time for an answer, where none may take long', async () => {
  const proxy = await startProxy((request) => request.resume(), { answerTimeoutMs: 200 });
  const [answer] = await once(startUpload(proxy.port), 'response');
  expect(answer.statusCode).toBe(503);
  expect(proxy.onFailure).toHaveBeenCalledWith(expect.any(UpstreamTimeoutError));
  answer.destroy();
});

it('lets an upload go on past the time for an answer, where it may take long', async () => {
  let received = 0;
  const proxy = await startProxy(
    (request) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
      });
    },
    { answerTimeoutMs: 200, allowsLongUploads: true },
  );
  const upload = startUpload(proxy.port);
  await vi.waitFor(() => expect(received).toBeGreaterThan(20), { timeout: 5_000 });
  expect(proxy.onFailure).not.toHaveBeenCalled();
  upload.destroy();
});

it('sends a chunked answer that comes at once whole, and its end last', async () => {
  const proxy = await startProxy((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('first ');
    response.end('second');
  });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: proxy.test\r\nconnection: close\r\n\r\n');
  let answer = '';
  for await (const bytes of socket) answer += bytes;
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(body).toMatch(/\r\n0\r\n\r\n$/);
  expect(body.replace(/[0-9a-f]+\r\n(.*)\r\n/g, '$1')).toBe('first second');
});

/** An answer that the upstream writes by itself, as the client reads it. */
async function readRaw(answer: string) {
  const onPieces = vi.fn((_: number) => 0);
  const proxy = await startProxy((_request, response) => void response.socket?.end(answer), { onPieces });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: proxy.test\r\nconnection: close\r\n\r\n');
  let text = '';
  for await (const bytes of socket) text += bytes;
  const charged = onPieces.mock.calls.reduce((sum, [pieces]) => sum + pieces, 0);
  return { body: text.slice(text.indexOf('\r\n\r\n') + 4), charged };
}

it('an answer in chunks of a byte is charged for each of them, and goes on together', async () => {
  const chunks = '1\r\nx\r\n'.repeat(2_000);
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
  const { body, charged } = await readRaw(`${head}${chunks}0\r\n\r\n`);
  expect(charged).toBe(2_000);
  expect(body.replace(/[^x]/g, '')).toBe('x'.repeat(2_000));
  expect(body.match(/[0-9a-f]+\r\n/g)?.length).toBeLessThan(100);
});

it('an answer over TLS is charged for each of its short records, of which one read brings many', async () => {
  const onPieces = vi.fn((_: number) => 0);
  const upstream: RequestListener = async (_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    // Each has to be out before the next: Node makes one record of what waits.
    for (let index = 0; index < 100; index += 1) {
      await new Promise((resolve) => response.write('x', resolve));
    }
    response.end();
  };
  const { port } = await startProxy(upstream, { onPieces, isTls: true });
  const [answer] = await once(httpRequest({ port, host: '127.0.0.1' }).end(), 'response');
  let body = '';
  for await (const bytes of answer) body += bytes;
  expect(body).toBe('x'.repeat(100));
  expect(onPieces.mock.calls.reduce((sum, [pieces]) => sum + pieces, 0)).toBe(100);
});

it('an answer of known length is charged nothing: its pieces are counted where they come in', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n';
  expect(await readRaw(`${head}ok`)).toEqual({ body: 'ok', charged: 0 });
});
