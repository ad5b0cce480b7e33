import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen } from '@pult/testkit/in-test';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Config } from '../config/settings.ts';
import { createFakeCloud } from '../testing/fake-cloud.ts';
import { createHttpProxy } from '../testing/http-proxy.ts';
import { createConfig } from '../testing/test-agent.ts';
import { patienceMs } from './connect.ts';
import { examine } from './doctor.ts';

const tls = (listener?: RequestListener) =>
  createHttpsServer({ cert: testCertificate, key: testPrivateKey }, listener);

async function startDevice() {
  const web = await listen(createHttpServer((_, response) => response.writeHead(401).end()));
  const ssh = await listen(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
  const at = (port: number) => ({ host: '127.0.0.1', port, isTls: false });
  return { http: at(web), ssh: at(ssh) };
}

/** What the doctor says of a machine whose own services are well, unless told otherwise. */
async function ask(config: Partial<Config>) {
  const lines: string[] = [];
  const device = await startDevice();
  const isWell = await examine(createConfig({ ...device, ...config }), 'A1B2C3D4', (line) =>
    lines.push(line),
  );
  const of = (subject: string) => {
    const index = lines.findIndex((line) => line.slice(5).startsWith(`${subject}`));
    const next = lines[index + 1];
    return [lines[index], ...(next?.startsWith('       ') ? [next.trim()] : [])];
  };
  return { isWell, lines, of };
}

test('the doctor finds nothing to do where all is well, over TLS of an authority of one’s own', async () => {
  const cloud = await createFakeCloud({ createServer: () => tls(), host: 'localhost' });
  const { isWell, lines } = await ask({ server: cloud.url, ca: testCertificate });
  expect({ isWell, lines }).toEqual({
    isWell: true,
    lines: [
      expect.stringMatching(/^ok {3}DNS localhost: .*127\.0\.0\.1/),
      expect.stringMatching(/^ok {3}TCP port \d+: .*127\.0\.0\.1/),
      '-    proxy: none',
      expect.stringMatching(/^ok {3}TLS: the certificate of localhost is good until /),
      `ok   server: ${cloud.url} is a Pult server`,
      expect.stringMatching(/^ok {3}clock: .* as at the server$/),
      'ok   direct link: gets through',
      'ok   WebSocket: gets through',
      expect.stringMatching(/^ok {3}web interface: http:\/\/127\.0\.0\.1:\d+ answers 401$/),
      expect.stringMatching(/^ok {3}SSH server: 127\.0\.0\.1:\d+ is SSH-2\.0-OpenSSH_9\.2$/),
    ],
  });
  expect(cloud.enrolments).toEqual([]);
});

test('the doctor says that a name is unknown, and asks nobody behind it', async () => {
  const { isWell, lines, of } = await ask({ server: 'https://no-such-name.invalid' });
  expect(isWell).toBe(false);
  expect(of('DNS')[0]).toMatch(/^NO {3}DNS no-such-name\.invalid: /);
  expect(lines.some((line) => line.includes('TCP') || line.includes('TLS'))).toBe(false);
});

test('the doctor says that nobody listens at the port', async () => {
  const { isWell, of } = await ask({ server: 'http://127.0.0.1:1' });
  expect(isWell).toBe(false);
  expect(of('TCP')).toEqual([
    'NO   TCP port 1: refused',
    'Nothing listens at port 1 there: start it, or correct the port.',
  ]);
});

test('the doctor says that a peer which takes connections answers nothing', async () => {
  const port = await listen(createTcpServer((socket) => socket.resume()));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = ask({ server: `https://127.0.0.1:${port}` });
  // An address needs no name server: the first thing that is waited for is the handshake.
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  await vi.advanceTimersByTimeAsync(patienceMs);
  const { of } = await asked;
  expect(of('TLS')[0]).toBe('NO   TLS: no answer');
});

test('the doctor says that a certificate is not trusted, not of this name, or no certificate at all', async () => {
  const port = await listen(tls((_, response) => response.end()));
  const untrusted = await ask({ server: `https://localhost:${port}` });
  expect(untrusted.of('TLS')[0]).toMatch(/the certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
  expect(untrusted.of('TLS')[1]).toContain('--ca');
  const plain = await listen(createHttpServer((_, response) => response.end()));
  const spoken = await ask({ server: `https://localhost:${plain}` });
  expect(spoken.of('TLS')[0]).toBe('NO   TLS: what answers speaks no TLS');
});

test('the doctor says that something else than a Pult server answers', async () => {
  const port = await listen(createHttpServer((_, response) => response.end('<h1>Welcome to the hotel</h1>')));
  const { isWell, of } = await ask({ server: `http://127.0.0.1:${port}` });
  expect(isWell).toBe(false);
  expect(of('server')[0]).toBe('NO   server: what answers (200) is no Pult server');
});

test('the doctor says that the clock is off, and what time it is at the server', async () => {
  const past = () =>
    createHttpServer((_, response) => response.setHeader('Date', 'Thu, 01 Jan 1970 00:01:00 GMT'));
  const cloud = await createFakeCloud({ createServer: past });
  const { isWell, of } = await ask({ server: cloud.url });
  expect(isWell).toBe(false);
  expect(of('clock')[0]).toMatch(
    /^NO {3}clock: it is 20.* here and 1970-01-01T00:01:00\.000Z at the server$/,
  );
  expect(of('clock')[1]).toContain('timedatectl');
});

test('the doctor finds nothing to do where only WebSockets get through, and says which way is taken', async () => {
  const cloud = await createFakeCloud({ passesOnlyWebSocket: true });
  const { isWell, of } = await ask({ server: cloud.url });
  expect(isWell).toBe(true);
  expect(of('direct link')[0]).toMatch(/^- {4}direct link: .* 400 .*; the agent takes the WebSocket$/);
  expect(of('WebSocket')[0]).toBe('ok   WebSocket: gets through');
});

test('the doctor says that no link gets through, either way', async () => {
  const cloud = await createFakeCloud();
  cloud.refuseLinks({ status: 426, body: null });
  const { isWell, of } = await ask({ server: cloud.url });
  expect(isWell).toBe(true); // a refusal in the server's own words: it came there
  const server = createHttpServer();
  server.on('request', (request, response) => {
    const isCall = request.method === 'POST';
    response.writeHead(isCall ? 200 : 502).end(isCall ? '{"nonce":"AAAAAAAAAAAAAAAAAAAAAA"}' : 'Bad gateway');
  });
  const blocked = await ask({ server: `http://127.0.0.1:${await listen(server)}` });
  expect(blocked.isWell).toBe(false);
  expect(blocked.of('direct link')[1]).toContain('Upgrade');
  expect(blocked.of('WebSocket')[0]).toMatch(/^NO {3}WebSocket: .*502/);
  expect(of('WebSocket')[0]).toMatch(/^ok/);
});

test('the doctor names the addresses by which the server knows itself', async () => {
  const cloud = await createFakeCloud();
  cloud.refuseLinks({
    status: 409,
    body: { code: 'link_url_mismatch', expectedUrls: ['https://pult.example.com'] },
  });
  const { isWell, of } = await ask({ server: cloud.url });
  expect(isWell).toBe(false);
  expect(of('direct link')).toEqual([
    `NO   direct link: the server is known as https://pult.example.com, not as ${cloud.url}`,
    'Correct --server here, or add this address to AGENT_URLS there.',
  ]);
});

test('the doctor goes through a proxy, and says what it refuses', async () => {
  const cloud = await createFakeCloud({ host: 'cloud.test' });
  const open = await createHttpProxy();
  const through = await ask({ server: cloud.url, proxy: new URL(`http://${open.address}`) });
  expect(through.isWell).toBe(true);
  expect(through.of('proxy')[0]).toMatch(/^ok {3}proxy: .* connects to cloud\.test:\d+$/);
  const asking = await createHttpProxy({ login: 'a:b' });
  const refused = await ask({ server: cloud.url, proxy: new URL(`http://${asking.address}`) });
  expect(refused.isWell).toBe(false);
  expect(refused.of('proxy')[0]).toContain('asks for a login (407)');
  const gone = await ask({ server: cloud.url, proxy: new URL('http://127.0.0.1:1') });
  expect(gone.of('TCP')[0]).toBe('NO   TCP port 1: refused');
});

test('the doctor says what is missing on the machine itself', async () => {
  const cloud = await createFakeCloud();
  const at = (port: number) => ({ host: '127.0.0.1', port, isTls: false });
  const stranger = at(await listen(createHttpServer((_, response) => response.end())));
  const silent = at(await listen(createTcpServer((socket) => socket.resume())));
  const [none, other] = await Promise.all([
    ask({ server: cloud.url, http: at(1), ssh: silent }),
    ask({ server: cloud.url, http: silent, ssh: at(1), allow: new Set(['http']) }),
  ]);
  expect(none.isWell).toBe(false);
  expect(none.of('web interface')[0]).toBe('NO   web interface: connect ECONNREFUSED 127.0.0.1:1');
  expect(none.of('web interface')[1]).toContain('--http');
  expect(none.of('SSH server')[0]).toMatch(/^NO {3}SSH server: .* says nothing$/);
  expect(other.of('web interface')[0]).toMatch(/says nothing$/);
  expect(other.of('SSH server')).toEqual(['-    SSH server: left out by --allow']);
  const swapped = await ask({ server: cloud.url, http: { ...stranger, isTls: true } });
  expect(swapped.of('web interface')[0]).toMatch(/^NO/);
});
