import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { terminalPath } from '@pult/contract';
import {
  createByteSource,
  freePort,
  HttpClient,
  type HttpClientOptions,
  hashByteSource,
  makeSshKey,
  makeTempDir,
  makeTestCertificate,
  poll,
  ResourceStack,
  runCommand,
  startAgentProcess,
  startHaproxy,
  startNginx,
  type TestCertificate,
  WebSocketMessages,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Http2Client } from './http2-client.ts';
import { createJumpClient } from './jump-client.ts';
import { startLightSite } from './light-server.ts';
import { readHaproxy, readNginx, replaceAll } from './shipped-proxies.ts';
import { addController, getOrganizationId, openTunnel, type Site, waitForStatus } from './site.ts';

const stack = new ResourceStack();
let site: Site;
let certificate: TestCertificate;
/** Ports of the proxies, of their doors that pass nothing but WebSockets, and of HAProxy's door for SSH. */
const ports = { nginx: 0, haproxy: 0, nginxWebSocket: 0, haproxyWebSocket: 0, ssh: 0 };
const client = (options: HttpClientOptions = {}) => new HttpClient({ ca: certificate.ca, ...options });

async function startProxies(jumpPort: number): Promise<void> {
  const place = { upstreamPort: site.server.port, certificate };
  stack.use(await startNginx(await readNginx({ ...place, port: ports.nginx }), ports.nginx));
  const nginx = await readNginx({ ...place, port: ports.nginxWebSocket });
  const nginxWebSocket = replaceAll(nginx, {
    'map $http_upgrade $pult_connection {':
      "map $http_upgrade $pult_upgrade { websocket websocket; default ''; }\nmap $pult_upgrade $pult_connection {",
    'Upgrade $http_upgrade': 'Upgrade $pult_upgrade',
  });
  stack.use(await startNginx(nginxWebSocket, ports.nginxWebSocket));

  const haproxy = await readHaproxy({ ...place, port: ports.haproxy }, { port: ports.ssh, jumpPort });
  const onlyWebSocket = [
    'frontend only_websocket',
    `  bind 127.0.0.1:${ports.haproxyWebSocket} ssl crt ${certificate.bundlePath} alpn http/1.1`,
    '  http-request del-header Upgrade unless { hdr(Upgrade) -i websocket }',
    '  default_backend pult',
  ];
  stack.use(await startHaproxy(`${haproxy}\n${onlyWebSocket.join('\n')}\n`, ports.haproxy));
}

beforeAll(async () => {
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
  const jumpPort = await freePort();
  const folder = await makeTempDir('certificate');
  stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
  certificate = await makeTestCertificate(folder.path, ['localhost', '*.http.localhost']);
  const url = (port: number) => `https://localhost:${port}`;
  site = await startLightSite({
    serverEnv: {
      PUBLIC_URL: url(ports.nginx),
      AGENT_URLS: [ports.haproxy, ports.nginxWebSocket, ports.haproxyWebSocket].map(url).join(','),
      TRUSTED_PROXIES: '127.0.0.1',
      SSH_JUMP_PORT: String(jumpPort),
    },
  });
  stack.use(site);
  await startProxies(jumpPort);
}, 120_000);
afterAll(() => stack[Symbol.asyncDispose]());

/** A controller whose agent comes in at that port, and trusts the private authority. */
async function startRemote(port: number): Promise<Site> {
  const serverUrl = `https://localhost:${port}`;
  const remote = await addController(site, { serverUrl, env: { PULT_CA: certificate.caPath } });
  return {
    ...remote,
    tunnelUrl: `https://${remote.serialNumber.toLowerCase()}.http.localhost:${ports.nginx}`,
  };
}

async function openWebInterface(remote: Site, port: number, options: HttpClientOptions = {}) {
  const browser = client({ port, ...options });
  const { tunnelRedirectUrl } = await openTunnel(remote, 'http');
  const answer = await browser.request(tunnelRedirectUrl, { followRedirects: true });
  expect(answer.status).toBe(200);
  answer.body.resume();
  return browser;
}

describe.each(['nginx', 'haproxy'] as const)('behind %s that ends TLS', (proxy) => {
  let remote: Site;
  let browser: HttpClient;

  beforeAll(async () => {
    remote = await startRemote(ports[proxy]);
    browser = await openWebInterface(remote, ports[proxy]);
  });
  afterAll(() => remote?.[Symbol.asyncDispose]());

  test('an agent with --ca takes the direct link', () => {
    expect(remote.agent.process.hasLine(/link: connected/)).toBe(true);
    expect(remote.agent.process.hasLine(/WebSocket/)).toBe(false);
  });

  test('a large download and an upload of unknown length arrive whole', async () => {
    const bytes = 5_000_000;
    const sha256 = hashByteSource(bytes);
    const download = await browser.request(`${remote.tunnelUrl}/download/${bytes}`);
    expect(await download.hash()).toEqual({ bytes, sha256 });
    const upload = await browser.request(`${remote.tunnelUrl}/echo`, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: createByteSource(bytes),
    });
    expect(await upload.json()).toEqual({ method: 'POST', bytes, sha256 });
  });

  test('answers are not held back: events one by one, the first part of a slow answer at once', async () => {
    const events = await browser.request(`${remote.tunnelUrl}/events`);
    const parts = events.body.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await parts.next()).value).toBe('data: hello\n\n');
    remote.web.sendEvent('pump on');
    expect((await parts.next()).value).toBe('data: pump on\n\n');
    events.body.destroy();
    const slow = await browser.request(`${remote.tunnelUrl}/slow`);
    expect((await slow.body.setEncoding('utf8')[Symbol.asyncIterator]().next()).value).toBe('first part');
    slow.body.destroy();
  });

  test('a WebSocket of the controller and a terminal work', async () => {
    const socket = await browser.openWebSocket(`${remote.tunnelUrl}/ws`, {
      headers: { origin: remote.tunnelUrl },
    });
    const messages = new WebSocketMessages(socket);
    socket.send('pump on');
    expect((await messages.next()).data.toString()).toBe('pump on');
    socket.terminate();
    const terminal = await client({ port: ports[proxy] }).openWebSocket(
      `https://localhost:${ports.nginx}${terminalPath}`,
      { headers: { authorization: `Bearer ${site.api.access}`, origin: `https://localhost:${ports.nginx}` } },
    );
    const { tunnelKey } = await openTunnel(remote, 'ssh');
    const credential = { method: 'private_key', privateKey: site.ssh.clientKey.privateKey };
    let output = '';
    terminal.on('message', (data, isBinary) => {
      if (isBinary) output += data;
    });
    const size = { columns: 80, rows: 24 };
    terminal.send(JSON.stringify({ type: 'start', tunnelKey, username: site.ssh.user, credential, ...size }));
    await poll(() => output !== '', { what: 'the shell says something' });
    terminal.send(Buffer.from('echo $((6 * 7))\n'));
    await poll(() => /\b42\b/.test(output), { what: 'the shell answers' });
    terminal.terminate();
  });

  test('one connection of HTTP/2 has a page, events as they happen, an upload and, by HAProxy, a WebSocket', async () => {
    using chrome = new Http2Client(ports[proxy], certificate.ca);
    const { tunnelRedirectUrl } = await openTunnel(remote, 'http');
    const page = await chrome.follow(tunnelRedirectUrl);
    expect(page.status).toBe(200);
    expect(await text(page.stream)).toContain('Boiler room');
    const events = await chrome.open(`${remote.tunnelUrl}/events`);
    const parts = events.stream.setEncoding('utf8')[Symbol.asyncIterator]();
    expect((await parts.next()).value).toBe('data: hello\n\n');
    const socket = await chrome.openWebSocket(`${remote.tunnelUrl}/ws`);
    // nginx takes none: browsers open one by HTTP/1.1 there, which the test before shows.
    expect(socket !== undefined).toBe(proxy === 'haproxy');
    // A text of a client, masked by zeros, and the same back without a mask.
    socket?.write(Buffer.concat([Buffer.from([0x81, 0x87, 0, 0, 0, 0]), Buffer.from('pump on')]));
    if (socket) expect(String((await once(socket.setEncoding('latin1'), 'data'))[0])).toBe('\x81\x07pump on');
    const bytes = 3_000_000;
    const upload = await chrome.open(
      `${remote.tunnelUrl}/echo`,
      { ':method': 'POST', origin: remote.tunnelUrl },
      createByteSource(bytes),
    );
    expect(JSON.parse(await text(upload.stream))).toEqual({
      method: 'POST',
      bytes,
      sha256: hashByteSource(bytes),
    });
    remote.web.sendEvent('pump off');
    expect((await parts.next()).value).toBe('data: pump off\n\n');
  });

  test('the controller and the audit log see who really asks, whatever the client claims', async () => {
    const forged = { 'x-forwarded-for': '6.6.6.6', 'x-forwarded-proto': 'http' };
    const localAddress = '127.0.0.9';
    const visitor = await openWebInterface(remote, ports[proxy], { localAddress });
    const answer = await visitor.request(`${remote.tunnelUrl}/headers`, { headers: forged });
    const { rawHeaders } = (await answer.json()) as { rawHeaders: string[] };
    const values = (name: string) =>
      rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
    expect(values('x-forwarded-for')).toEqual([localAddress]);
    expect(values('x-forwarded-proto')).toEqual(['https']);
    const login = await client({ port: ports[proxy], localAddress }).request(
      `https://localhost:${ports.nginx}/api/v1/auth/token/`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...forged },
        body: JSON.stringify({ username: site.server.adminEmail, password: site.server.adminPassword }),
      },
    );
    expect(login.status).toBe(200);
    login.body.resume();
    const sessions = await site.api.call('listSessions');
    expect(JSON.stringify(sessions)).toContain(localAddress);
    expect(JSON.stringify(sessions)).not.toContain('6.6.6.6');
  });
});

test.each(['nginx', 'haproxy'] as const)(
  'the link behind %s that passes nothing but WebSockets is one, says so, and carries everything',
  async (proxy) => {
    await using remote = await startRemote(ports[`${proxy}WebSocket`]);
    expect(remote.agent.process.hasLine(/the direct link does not get through .*, trying WebSocket/)).toBe(
      true,
    );
    const browser = await openWebInterface(remote, ports.nginx);
    const bytes = 5_000_000;
    const download = await browser.request(`${remote.tunnelUrl}/download/${bytes}`);
    expect(await download.hash()).toEqual({ bytes, sha256: hashByteSource(bytes) });
    // It remembers what worked.
    await remote.agent.halt();
    remote.agent.start();
    await remote.agent.waitForLink();
    await waitForStatus(remote, 'online');
    expect(remote.agent.process.hasLine(/trying WebSocket/)).toBe(false);
  },
);

test('an agent without the private authority says whose certificate it does not trust', async () => {
  const serverUrl = `https://localhost:${ports.nginx}`;
  await using agent = await startAgentProcess({ serverUrl, serialNumber: 'STRANGER' });
  await agent.process.waitForLine(/the certificate of localhost:\d+ is not trusted: .*name it by --ca/);
});

test('native SSH comes through HAProxy, with the address of whoever comes', async () => {
  await using remote = await startRemote(ports.haproxy);
  const keys = await makeTempDir('keys');
  const key = await makeSshKey(`${keys.path}/account`);
  await site.api.call('addSshKey', { body: { name: 'Laptop', publicKey: key.publicKey } });
  await using jump = await createJumpClient(remote, { port: ports.ssh, email: site.server.adminEmail, key });
  const [, config = ''] = jump.options;
  const through = ['ssh', '-F', config, '-b', '127.0.0.9', '-p', ports.ssh, '-l', site.server.adminEmail];
  const options = ['-F', config, '-o', `ProxyCommand=${through.join(' ')} -W %h:%p 127.0.0.1`];
  const device = `${site.ssh.user}@${remote.serialNumber}`;
  const { stdout } = await runCommand('ssh', [...options, device, 'echo $((6 * 7))']);
  expect(stdout).toBe('42\n');
  await keys.remove();
  const organizationId = await getOrganizationId(site);
  const { results } = await site.api.call('listAuditEvents', { params: { organizationId } });
  expect(results.find(({ action }) => action === 'ssh_session.opened')).toMatchObject({
    subject: remote.serialNumber,
    address: '127.0.0.9',
  });
});
