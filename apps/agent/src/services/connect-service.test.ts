import { once } from 'node:events';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { oldCertificate, testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen } from '@pult/testkit/in-test';
import { expect, test } from 'vitest';
import { connectService } from './connect-service.ts';

const never = new AbortController().signal;
const nowhere = { host: '127.0.0.1', port: 1, isTls: false };

test('a web interface with a certificate of its own is reached in plain', async () => {
  const server = createTlsServer({ cert: testCertificate, key: testPrivateKey }, (socket) => {
    socket.on('error', () => {});
    socket.end('inside TLS');
  });
  const port = await listen(server);
  const http = { host: '127.0.0.1', port, isTls: true };
  const socket = await connectService('http', { http, ssh: nowhere, allow: undefined }, never);
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toBe('inside TLS');
  socket.destroy();
});

test('a web interface whose TLS is old is reached', async () => {
  const ciphers = 'DEFAULT:@SECLEVEL=0';
  const old = { ...oldCertificate, ciphers, minVersion: 'TLSv1', maxVersion: 'TLSv1' } as const;
  const server = createTlsServer(old, (socket) => {
    socket.on('error', () => {});
    socket.end('inside TLS 1.0');
  });
  const http = { host: '127.0.0.1', port: await listen(server), isTls: true };
  const socket = await connectService('http', { http, ssh: nowhere, allow: undefined }, never);
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toBe('inside TLS 1.0');
  socket.destroy();
});

test('a web interface whose TLS is too old is refused by that name', async () => {
  // The alert handshake_failure of SSL 3.0 (RFC 6101, section 5.4).
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.from([0x15, 3, 0, 0, 2, 2, 40])));
  });
  const http = { host: '127.0.0.1', port: await listen(server), isTls: true };
  await expect(connectService('http', { http, ssh: nowhere, allow: undefined }, never)).rejects.toMatchObject(
    {
      code: 'service_tls_old',
      reason: expect.stringContaining('handshake failure'),
    },
  );
});

test.each([
  ['closes the connection without a word', ''],
  ['speaks no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
])('a web interface that answers a handshake and %s is not said to be closed', async (_, answer) => {
  // The one that says nothing is OpenSSL 1.0 of Node.js 0.10 without a cipher that both have.
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  const http = { host: '127.0.0.1', port: await listen(server), isTls: true };
  await expect(connectService('http', { http, ssh: nowhere, allow: undefined }, never)).rejects.toMatchObject(
    { code: 'service_tls_failed' },
  );
  const closed = { http: { ...nowhere, isTls: true }, ssh: nowhere, allow: undefined };
  await expect(connectService('http', closed, never)).rejects.toMatchObject({ code: 'service_refused' });
});

test('what the list does not name is not allowed', async () => {
  const options = { http: nowhere, ssh: nowhere, allow: new Set(['http'] as const) };
  await expect(connectService('ssh', options, never)).rejects.toMatchObject({
    code: 'service_not_allowed',
    reason: 'the agent does not allow ssh',
  });
  await expect(connectService('port-8080', options, never)).rejects.toMatchObject({
    code: 'service_not_allowed',
  });
  await expect(connectService('http', options, never)).rejects.toMatchObject({
    code: 'service_refused',
    reason: 'connect ECONNREFUSED 127.0.0.1:1',
  });
});

test('a service that accepts and hangs is given up', async () => {
  const port = await listen(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.resume();
    }),
  );
  // The TLS handshake never gets its answer: the one way to hang that loopback allows.
  const options = {
    http: { host: '127.0.0.1', port, isTls: true },
    ssh: nowhere,
    allow: undefined,
    connectTimeoutMs: 20,
  };
  await expect(connectService('http', options, never)).rejects.toMatchObject({
    code: 'service_timeout',
    reason: `127.0.0.1:${port} did not answer within 0.02 s`,
  });
  const abort = new AbortController();
  const opening = connectService('http', { ...options, connectTimeoutMs: 10_000 }, abort.signal);
  abort.abort();
  await expect(opening).rejects.toMatchObject({ code: 'service_timeout', reason: 'the cloud gave up' });
});
