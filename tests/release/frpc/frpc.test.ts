import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  createByteSource,
  freePort,
  type HttpClient,
  hashByteSource,
  makeDeviceCertificates,
  makeTempDir,
  poll,
  RunningProcess,
  repositoryPath,
  runCommand,
  WebSocketMessages,
  WirenBoardDevice,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLightSite } from '../../interop/light-server.ts';
import { getOrganizationId, openWebInterface, type Site, waitForStatus } from '../../interop/site.ts';

/** Tunnels over Go's own yamux, whose streams and frames come in whatever order its goroutines leave them. */

const sources = '/usr/share/gocode';
const obstacle =
  spawnSync('go', ['version']).status === 0 && existsSync(`${sources}/src/github.com/hashicorp/yamux`)
    ? undefined
    : 'go and golang-github-hashicorp-yamux-dev are missing';
const title = obstacle ? `a tunnel of Go (not here: ${obstacle})` : 'a tunnel of Go';
const serialNumber = 'A25NDEMJ';

describe.skipIf(obstacle).sequential(title, () => {
  let folder: Awaited<ReturnType<typeof makeTempDir>>;
  let site: Site;
  let device: WirenBoardDevice;
  let frpc: RunningProcess;
  let browser: HttpClient;

  async function dial(token = device.tunnelConfig?.token): Promise<RunningProcess> {
    const { server_port: port, user } = device.tunnelConfig ?? {};
    const ports = { 80: site.web.port };
    const config = { server: `127.0.0.1:${port}`, user, token, proxy: 'pult', ports };
    // Goroutines overtake each other on several processors alone.
    const env = { GOMAXPROCS: '8' };
    const command = join(folder.path, 'frpc');
    return new RunningProcess({ name: 'frpc', command, args: [JSON.stringify(config)], env });
  }

  beforeAll(async () => {
    folder = await makeTempDir('frpc');
    const build = await runCommand(
      'go',
      ['build', '-o', join(folder.path, 'frpc'), repositoryPath('tests/release/frpc/frpc.go')],
      {
        env: {
          GO111MODULE: 'off',
          GOPATH: sources,
          GOCACHE: join(folder.path, 'cache'),
          CGO_ENABLED: '0',
        },
        timeoutMs: 240_000,
      },
    );
    if (build.code !== 0) throw new Error(build.stderr);
    const certificates = await makeDeviceCertificates(folder.path);
    const proxySecret = randomBytes(32).toString('hex');
    const started = await startLightSite({
      serverEnv: {
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
    await device.startUp();
    const token = new URL(device.activationLink ?? '').searchParams.get('token') ?? '';
    await site.api.call('activateController', {
      body: { token, organization: await getOrganizationId(site) },
    });
    await device.poll();
  }, 400_000);
  afterAll(async () => {
    await frpc?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    await folder?.remove();
  });

  test('a controller whose frpc logs in is online, and its web interface is opened', async () => {
    frpc = await dial();
    await frpc.waitForLine(/^proxy: /);
    await waitForStatus(site, 'online');
    browser = await openWebInterface(site);
    expect(await (await browser.request(`${site.tunnelUrl}/`)).text()).toContain('<h1>Boiler room</h1>');
  });

  test('a wrong token is refused in words that frpc understands', async () => {
    await using refused = await dial('wrong');
    await refused.waitForLine(/^ended: refused: authorization failed$/);
  });

  // A request with a body has a connection of its own, and so a stream of the session.
  const echo = async (bytes: number) => {
    const answer = await browser.request(`${site.tunnelUrl}/echo`, {
      method: 'POST',
      headers: { 'content-length': String(bytes) },
      body: createByteSource(bytes),
    });
    return answer.json();
  };

  test('streams that are opened by the hundred at once, again and again, all come through whole', async () => {
    const said = Buffer.alloc(20_000, 7);
    const converse = async () => {
      const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, {
        headers: { origin: site.tunnelUrl },
      });
      const messages = new WebSocketMessages(socket);
      socket.send(said);
      const { data } = await messages.next();
      socket.close(1000);
      await messages.closed;
      return data.equals(said);
    };
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, converse));
      expect(answers).toEqual(Array.from({ length: 100 }, () => true));
    }
    expect(frpc.isRunning).toBe(true);
  }, 120_000);

  test('downloads that are broken off in their middle leave the others whole', async () => {
    const bytes = 4_000_000;
    const whole = { bytes, sha256: hashByteSource(bytes) };
    for (let round = 0; round < 5; round += 1) {
      const abort = new AbortController();
      const broken = Array.from({ length: 12 }, async () => {
        const { signal } = abort;
        const answer = await browser.request(`${site.tunnelUrl}/download/${bytes}`, { signal });
        answer.body.once('data', () => abort.abort());
        await answer.hash();
      });
      const kept = Array.from({ length: 4 }, async () =>
        (await browser.request(`${site.tunnelUrl}/download/${bytes}`)).hash(),
      );
      await Promise.allSettled(broken);
      expect(await Promise.all(kept)).toEqual(Array.from({ length: 4 }, () => whole));
    }
    expect(frpc.isRunning).toBe(true);
  }, 120_000);

  test('an upload and a download of 30 MB at the same time, each way, lose nothing', async () => {
    const bytes = 30_000_000;
    const sha256 = hashByteSource(bytes);
    const [sent, received] = await Promise.all([
      echo(bytes),
      browser.request(`${site.tunnelUrl}/download/${bytes}`).then((answer) => answer.hash()),
    ]);
    expect([sent, received]).toEqual([
      { method: 'POST', bytes, sha256 },
      { bytes, sha256 },
    ]);
  }, 120_000);

  test('a frpc that is killed and comes back is served again', async () => {
    frpc.signal('SIGKILL');
    await waitForStatus(site, 'offline');
    frpc = await dial();
    await waitForStatus(site, 'online');
    const isBack = () =>
      echo(1000).then(
        () => true,
        () => false,
      );
    await poll(isBack, { what: 'its web interface answers again' });
  });
});
