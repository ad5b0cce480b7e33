import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@pult/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createPlainListener } from './plain-listener.ts';

async function start(tunnels: object): Promise<number> {
  const listener = createPlainListener(
    // What it reads of the configuration.
    { http: { publicUrl: 'https://pult.test' }, agents: { urls: [] }, tunnels } as never,
    (url) => (url === '/.well-known/acme-challenge/token' ? 'token.thumbprint' : undefined),
    createLog('silent'),
  );
  const port = await freePort();
  await listener.listen('127.0.0.1', port);
  onTestFinished(() => {
    listener.close();
    listener.cutAll();
  });
  return port;
}

/** The whole answer to bytes of whatever kind, until the server ends the connection. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).write(bytes, 'latin1');
  return text(socket).catch(() => '');
}

it.each([
  'xn--a.pult.test',
  'xn--.pult.test',
  'xn--zzzzz99999.pult.test:80',
  '..pult.test',
  `${'a'.repeat(300)}.pult.test`,
  '[::1].pult.test',
  'evil.test/.pult.test',
])('a Host that is no name, %s, is answered and ends nothing', async (host) => {
  const port = await start({ domain: 'pult.test', mode: 'subdomain' });
  const [, location = ''] =
    /\nlocation: (.*)\r\n/.exec(await send(port, `GET /page HTTP/1.1\r\nHost: ${host}\r\n\r\n`)) ?? [];
  expect(new URL(location).hostname).toMatch(/(^|\.)pult\.test$/);
  expect(await send(port, 'GET / HTTP/1.1\r\nHost: a.pult.test\r\n\r\n')).toContain(
    'https://a.pult.test/\r\n',
  );
});

it.each([
  'GET /.well-known/acme-challenge/ HTTP/1.1',
  'GET /.well-known/acme-challenge/__proto__ HTTP/1.1',
  'GET /.well-known/acme-challenge/token/../token HTTP/1.1',
  'GET /.well-known/acme-challenge/token%00 HTTP/1.1',
  'GET //evil.test/ HTTP/1.1',
  'GET /\\evil.test HTTP/1.1',
  'GET http://evil.test/x HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'POST /.well-known/acme-challenge/none HTTP/1.1\r\nContent-Length: 999999999999',
  'POST / HTTP/1.1\r\nTransfer-Encoding: chunked',
  'GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade',
])('whatever is asked beside a challenge leads to this server alone: %s', async (head) => {
  const port = await start({ domain: 'pult.test', mode: 'subdomain' });
  const answer = await send(port, `${head}\r\nHost: evil.test\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 308 .*\r\nconnection: close\r\nlocation: https:\/\/pult\.test\//);
});

it.each([
  'CONNECT evil.test:443 HTTP/1.1',
  'GET /\u000cx HTTP/1.1',
  'GET /\u00ff HTTP/1.1',
  '\u0016\u0003\u0001 x',
])('what is no request of a page is sent away: %j', async (head) => {
  const port = await start({ domain: 'pult.test', mode: 'subdomain' });
  expect(await send(port, `${head}\r\nHost: pult.test\r\n\r\n`)).not.toContain('location');
  const challenge = 'GET /.well-known/acme-challenge/token HTTP/1.1\r\nHost: x\r\n\r\n';
  expect(await send(port, challenge)).toContain('\r\ntoken.thumbprint\r\n');
});

it('strangers of one address that fill the port of http:// keep no other one out', async () => {
  const port = await start({ domain: 'pult.test' });
  const knock = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    return socket;
  };
  const silent = await Promise.all(Array.from({ length: 1_001 }, knock));
  const request = get({ port, host: '127.0.0.1', path: '/page' });
  const [response] = await once(request, 'response');
  expect([response.resume().statusCode, response.headers.location]).toEqual([308, 'https://pult.test/page']);
  await expect.poll(() => silent.filter(({ closed }) => !closed).length).toBe(250);
});
