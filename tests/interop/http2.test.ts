import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Controller } from '@pult/contract';
import {
  type AgentProcess,
  createByteSource,
  HttpClient,
  hashByteSource,
  makeTempDir,
  makeTestCertificate,
  poll,
  ResourceStack,
  runCommand,
  type ServerProcess,
  startAgentProcess,
  startWebServer,
  type TestCertificate,
  type WebServer,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Http2Client } from './http2-client.ts';
import { startLightServer } from './light-server.ts';

// All of it over one connection of HTTP/2: the console's calls, and the web interface of a controller on its own host.

const stack = new ResourceStack();
const serialNumber = `H${String(randomInt(1e9)).padStart(9, '0')}`;
let certificate: TestCertificate;
let server: ServerProcess;
let agent: AgentProcess;
let web: WebServer;
let browser: Http2Client;
let tunnelUrl: string;

beforeAll(async () => {
  const folder = stack.use(await makeTempDir('certificate'));
  certificate = await makeTestCertificate(folder.path, ['localhost', '*.http.localhost']);
  web = stack.use(await startWebServer());
  server = stack.use(await startLightServer({ certificate, env: { HTTP2: 'on' } }));
  tunnelUrl = `https://${serialNumber.toLowerCase()}.http.localhost:${server.port}`;
  agent = stack.use(
    await startAgentProcess({
      serverUrl: server.url,
      serialNumber,
      http: web.address,
      env: { PULT_CA: certificate.caPath },
    }),
  );
  browser = new Http2Client(server.url, certificate.ca);
  stack.use({ [Symbol.asyncDispose]: async () => browser[Symbol.dispose]() });
}, 120_000);
afterAll(() => stack[Symbol.asyncDispose]());

test('a person logs in, claims a controller and opens its web interface', async () => {
  const login = { username: server.adminEmail, password: server.adminPassword };
  await browser.call('POST', `${server.url}/api/v1/auth/token/`, login);
  const list = await browser.ask(`${server.url}/api/v1/organizations/`);
  const [organization] = JSON.parse(list.body.toString()).results ?? JSON.parse(list.body.toString());
  const { token } = await agent.waitForActivation();
  const claim = { token, organization: organization.id };
  await browser.call('POST', `${server.url}/api/v1/controllers-activation/activate/`, claim);
  const isOnline = async () => {
    const { body } = await browser.ask(`${server.url}/api/v1/controllers/${serialNumber}/`);
    return (JSON.parse(body.toString()) as Controller).status === 'online';
  };
  await poll(isOnline, { what: 'the controller is online' });
  expect((await browser.ask(`${tunnelUrl}/`)).status).toBe(401);
  const opened = await browser.call<{ tunnelRedirectUrl: string }>(
    'POST',
    `${server.url}/api/v1/controllers/${serialNumber}/tcp-tunnels/http/`,
  );
  const page = await browser.ask(opened.tunnelRedirectUrl);
  expect(page).toMatchObject({ status: 200, url: `${tunnelUrl}/` });
  expect(page.body.toString()).toContain('Boiler room');
});

test('a GET with a body is refused, and its connection serves the next request', async () => {
  const refused = await browser.ask(`${tunnelUrl}/`, { body: 'GET /evil HTTP/1.1\r\n\r\n' });
  expect(refused.status).toBe(400);
  expect((await browser.ask(`${tunnelUrl}/`)).status).toBe(200);
});

test('downloads and uploads of a controller are whole, many at once', async () => {
  const bytes = 3_000_000;
  const sha256 = hashByteSource(bytes);
  const upload = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of createByteSource(bytes)) chunks.push(chunk);
    const { body } = await browser.ask(`${tunnelUrl}/echo`, {
      method: 'PUT',
      body: Buffer.concat(chunks),
      headers: { origin: tunnelUrl },
    });
    return JSON.parse(body.toString());
  };
  const download = async (query: string) => {
    const { body } = await browser.ask(`${tunnelUrl}/download/${bytes}${query}`);
    return createHash('sha256').update(body).digest('hex');
  };
  const [uploaded, ...downloaded] = await Promise.all([
    upload(),
    download(''),
    download('?chunked'),
    download('?3'),
  ]);
  expect(uploaded).toEqual({ method: 'PUT', bytes, sha256 });
  expect(downloaded).toEqual([sha256, sha256, sha256]);
});

test('events of a controller come as they happen, and end with the tunnel’s access', async () => {
  const { headers, stream } = await browser.open(`${tunnelUrl}/events`);
  expect(headers['content-type']).toContain('text/event-stream');
  stream.on('error', () => {});
  let received = '';
  stream.on('data', (chunk) => {
    received += chunk;
  });
  await expect.poll(() => web.openEventStreams).toBe(1);
  web.sendEvent('it rains');
  await expect.poll(() => received).toContain('it rains');
  const over = once(stream, 'close').catch(() => {});
  await browser.ask(`${server.url}/api/v1/auth/logout/`, { method: 'POST', headers: { origin: server.url } });
  await over;
  expect((await browser.ask(`${tunnelUrl}/`)).status).toBe(401);
});

test('curl speaks HTTP/2 where it offers it, and HTTP/1.1 where not', async () => {
  const ask = async (...args: string[]) => {
    const report = ['--output', '/dev/null', '--write-out', '%{http_version} %{http_code} %{num_connects}\n'];
    const { stdout } = await runCommand('curl', [
      ...['--silent', '--show-error', '--max-time', '50', '--cacert', certificate.caPath],
      ...['--resolve', `localhost:${server.port}:127.0.0.1`, ...args],
      ...[...report, `${server.url}/readyz`, ...report, `${server.url}/api/v1/nowhere/`],
    ]);
    return stdout;
  };
  expect(await ask()).toBe('2 200 1\n2 404 0\n');
  expect(await ask('--http1.1')).toBe('1.1 200 1\n1.1 404 0\n');
});

test('agents and WebSockets stay with HTTP/1.1', async () => {
  const client = new HttpClient({ ca: certificate.ca });
  const refused = client.openWebSocket(`${server.url.replace('https', 'wss')}/nowhere`);
  await expect(refused).rejects.toMatchObject({ status: 404 });
  expect(agent.process.isRunning).toBe(true);
});

test('a server that stops says goodbye, and answers what was asked', async () => {
  const leaving = new Http2Client(server.url, certificate.ca);
  await leaving.ask(`${server.url}/readyz`);
  const { code } = await server.halt();
  expect(code).toBe(0);
  leaving[Symbol.dispose]();
});
