import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  createByteSource,
  type FrpClient,
  freePort,
  type HttpClient,
  hashByteSource,
  makeDeviceCertificates,
  makeSshKey,
  makeTempDir,
  poll,
  RunningProcess,
  startStopwatch,
  WebSocketMessages,
  WirenBoardDevice,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJumpClient, type JumpClient } from './jump-client.ts';
import { startLightSite } from './light-server.ts';
import {
  getController,
  getOrganizationId,
  logIn,
  openTunnel,
  openWebInterface,
  type Site,
  waitForStatus,
} from './site.ts';
import { startTerminal } from './terminal-client.ts';

const serialNumber = 'A25NDEMJ';
const bytes = 8_000_000;

// The built server as a process of its own, and before it, so to say, a proxy that ends TLS. The steps build on each other.
describe.sequential('a Wiren Board controller as it is sold', () => {
  let folder: Awaited<ReturnType<typeof makeTempDir>>;
  let site: Site;
  let device: WirenBoardDevice;
  let tunnel: FrpClient;
  let browser: HttpClient;
  let jump: JumpClient;
  const params = { serialNumber };

  beforeAll(async () => {
    folder = await makeTempDir('wiren-board');
    const certificates = await makeDeviceCertificates(folder.path);
    const jumpPort = await freePort();
    const proxySecret = randomBytes(32).toString('hex');
    const started = await startLightSite({
      serverEnv: {
        SSH_JUMP_PORT: String(jumpPort),
        WB_DEVICE_CA: certificates.bundlePath,
        WB_PROXY_SECRET: proxySecret,
        WB_TUNNEL_PORT: String(await freePort()),
        TRUSTED_PROXIES: '127.0.0.1',
      },
    });
    const { port } = started.server;
    const tunnelUrl = `http://${serialNumber.toLowerCase()}.http.localhost:${port}`;
    site = { ...started, serialNumber, tunnelUrl };
    const certificate = await certificates.issue(serialNumber);
    device = new WirenBoardDevice(serialNumber, certificate, { port, isTls: false, proxySecret });
    const key = await makeSshKey(join(folder.path, 'account'));
    await site.api.call('addSshKey', { body: { name: 'Laptop', publicKey: key.publicKey } });
    const script = await (await fetch(`${site.server.url}/agent/ssh-install.sh`)).text();
    const hostKey = /^HOST_KEY='(ssh-ed25519 [^']+)'$/m.exec(script)?.[1] ?? '';
    jump = await createJumpClient(site, { port: jumpPort, email: site.server.adminEmail, key, hostKey });
  }, 120_000);
  afterAll(async () => {
    await jump?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  /** frpc, with what is behind it on the controller; what it is told again is its own run. */
  async function dial(runId = ''): Promise<FrpClient> {
    const { web, ssh } = site;
    const ports = { 80: web.port, 22: Number(ssh.address.split(':')[1]), 8123: web.port };
    return device.openTunnel(ports, { run_id: runId });
  }
  async function claim(): Promise<void> {
    const token = new URL(device.activationLink ?? '').searchParams.get('token') ?? '';
    await site.api.call('activateController', {
      body: { token, organization: await getOrganizationId(site) },
    });
  }

  test('a controller shows its link, is claimed, and is online once it was told its tunnel', async () => {
    await device.startUp();
    await claim();
    expect(await getController(site)).toMatchObject({ status: 'never', connectionKind: 'wiren-board' });
    await device.poll();
    tunnel = await dial();
    await waitForStatus(site, 'online');
  });

  test('its web interface is opened, with 8 MB each way and a WebSocket', async () => {
    browser = await openWebInterface(site);
    const page = await browser.request(`${site.tunnelUrl}/`);
    expect(await page.text()).toContain('<h1>Boiler room</h1>');
    const sent = await browser.request(`${site.tunnelUrl}/echo`, {
      method: 'POST',
      headers: { 'content-length': String(bytes) },
      body: createByteSource(bytes),
    });
    expect(await sent.json()).toEqual({ method: 'POST', bytes, sha256: hashByteSource(bytes) });
    const received = await browser.request(`${site.tunnelUrl}/download/${bytes}`);
    expect(await received.hash()).toEqual({ bytes, sha256: hashByteSource(bytes) });

    const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, {
      headers: { origin: site.tunnelUrl },
    });
    const messages = new WebSocketMessages(socket);
    const large = Buffer.alloc(1_000_000, 7);
    socket.send(large);
    expect((await messages.next()).data.equals(large)).toBe(true);
    socket.close(1000, 'done');
    expect(await messages.closed).toEqual({ code: 1000, reason: 'done' });
  });

  test('a named service is reached without a word to the controller', async () => {
    await site.api.call('createService', { params, body: { name: 'Heating', port: 8123 } });
    const { tunnelRedirectUrl } = await site.api.call('openTunnel', {
      params: { serialNumber, protocol: '8123' },
    });
    const answer = await (await logIn(site)).request(tunnelRedirectUrl, { followRedirects: true });
    expect(await answer.text()).toContain('<h1>Boiler room</h1>');
  });

  test('its SSH is a terminal of the console', async () => {
    const terminal = await startTerminal(site);
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    terminal.type('echo "on $((40 + 2))"\n');
    await terminal.waitForOutput(/on 42/);
    terminal.close();
  }, 60_000);

  test('stock OpenSSH reaches it by the jump host: a command, and 8 MB each way by scp', async () => {
    const target = `${site.ssh.user}@${serialNumber}`;
    const answer = await jump.run('ssh', [target, 'cat; echo oops >&2; exit 7'], { input: 'привет' });
    expect(answer).toMatchObject({ code: 7, stdout: 'привет' });
    expect(answer.stderr).toContain('oops');
    const file = (name: string) => join(folder.path, name);
    await pipeline(createByteSource(bytes), createWriteStream(file('sent')));
    const copies = [
      [file('sent'), `${target}:${file('uploaded')}`],
      [`${target}:${file('uploaded')}`, file('downloaded')],
    ];
    for (const names of copies) expect(await jump.run('scp', names)).toMatchObject({ code: 0 });
    for (const name of ['uploaded', 'downloaded']) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(file(name)), hash);
      expect(hash.digest('hex')).toBe(hashByteSource(bytes));
    }
  }, 60_000);

  test('its diagnostics are asked for by an event, uploaded, and downloaded with the right checksum', async () => {
    const { id } = await site.api.call('requestDiagnostic', { params });
    await poll(async () => device.poll().then(() => device.confirmed.includes('fetch_diagnostics')), {
      what: 'the agent is asked',
    });
    const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(500_000, 'a journal')]);
    expect((await device.uploadDiagnostics(archive)).status).toBe(200);
    const ready = await poll(
      async () => {
        const [newest] = await site.api.call('listDiagnostics', { params });
        return newest?.finished ? newest : false;
      },
      { what: 'the diagnostics have ended' },
    );
    const sha256 = createHash('sha256').update(archive).digest('hex');
    expect(ready).toMatchObject({ id, status: 'ready', size: archive.length, sha256 });
  });

  test('a restart of the server, of frpc and of the agent each find the controller claimed, and its web interface again', async () => {
    const opens = async () => (await (await openWebInterface(site)).request(`${site.tunnelUrl}/`)).status;
    await site.server.kill();
    await tunnel.closed;
    await site.server.start();
    // As frpc does, which has not been told anything new.
    tunnel = await dial('of the time before');
    // The status of before the kill stands for a while: what tells that it is back is that it is reached.
    const isBack = () =>
      opens().then(
        (status) => status === 200,
        () => false,
      );
    await poll(isBack, { what: 'its web interface opens at the new server' });

    tunnel.yamux.socket.destroy();
    await waitForStatus(site, 'offline');
    tunnel = await dial();
    await waitForStatus(site, 'online');
    expect(await opens()).toBe(200);

    expect((await device.startUp()).body).toEqual({ activated: true, activationLink: null });
    const before = device.confirmed.length;
    await device.poll();
    expect(device.confirmed).toHaveLength(before);
    expect(await opens()).toBe(200);
  }, 90_000);

  test('a controller whose agent was told to leave is detached until its new link is opened, and goes on with all that it had', async () => {
    const before = await getController(site);
    expect((await device.call('DELETE', 'delete-controller/')).status).toBe(204);
    await tunnel.closed;
    expect(await getController(site)).toMatchObject({
      ...{ id: before.id, status: 'offline', statusReason: 'detached', detachedAt: expect.any(String) },
    });
    // What goes on there, its frpc with the old token and its agent, brings it back to nobody.
    const refused = await dial();
    await refused.closed;
    expect(refused.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
    expect((await device.startUp()).body).toMatchObject({ activated: false });
    await device.poll();
    expect(await getController(site)).toMatchObject({ status: 'offline', statusReason: 'detached' });

    await claim();
    await device.poll();
    tunnel = await dial();
    await waitForStatus(site, 'online');
    const { id, activatedAt } = before;
    expect(await getController(site)).toMatchObject({ id, activatedAt, detachedAt: null });
  });

  test('a controller that is removed loses its tunnel within two seconds, shows a new link, and is claimed again', async () => {
    const [link, token] = [device.activationLink, device.tunnelConfig?.token];
    const shell = new RunningProcess({
      name: 'ssh',
      command: 'ssh',
      args: [...jump.options, `${site.ssh.user}@${serialNumber}`, 'echo here; sleep 600'],
    });
    await shell.waitForLine(/here/);
    const elapsed = startStopwatch(site.server.process);
    await site.api.call('deleteController', { params });
    await tunnel.closed;
    await poll(async () => !shell.isRunning, { what: 'the session by the jump host has ended' });
    expect(elapsed()).toBeLessThan(2_000);
    expect(await jump.run('ssh', [`${site.ssh.user}@${serialNumber}`, 'true'])).toMatchObject({ code: 255 });
    const refused = await dial();
    await refused.closed;
    expect(refused.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);

    await device.poll();
    expect(device.activationLink).toContain('token=');
    expect(device.activationLink).not.toBe(link);
    await claim();
    await device.poll();
    expect(device.tunnelConfig?.token).not.toBe(token);
    tunnel = await dial();
    await waitForStatus(site, 'online');
    const { tunnelRedirectUrl } = await openTunnel(site, 'http');
    const answer = await (await logIn(site)).request(tunnelRedirectUrl, { followRedirects: true });
    expect(await answer.text()).toContain('<h1>Boiler room</h1>');
  });
});
