import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type ApiClient,
  HttpClient,
  makeSshKey,
  makeTempDir,
  poll,
  ResourceStack,
  startMqttBroker,
  startSshServer,
  startStopwatch,
  startWebServer,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilesClient } from './files-client.ts';
import { type InstallationOfNodes, type InstalledNode, startNodes } from './installation-of-nodes.ts';
import { createJumpClient } from './jump-client.ts';
import { lendDatabase } from './light-server.ts';
import { expectWholeDownload, openPage } from './nodes.fixture.ts';
import { addController, addUser, getOrganizationId, type Site } from './site.ts';
import { claimSshDevice, openSsh, startSshDevice } from './ssh-device.ts';
import { startTerminal, TerminalClient } from './terminal-client.ts';

const count = 3;
const largeBytes = 64 * 1024 * 1024;
/** Who asks, and who holds the device. */
const pairs = Array.from(
  { length: count * count },
  (_, index) => [Math.floor(index / count), index % count] as const,
);
/** Each node asks one and is asked by another. */
const ring = Array.from({ length: count }, (_, index) => [index, (index + 1) % count] as const);

// Each node has a device, and whoever asks is at one of them.
describe.sequential('an installation of three nodes', () => {
  let installation: InstallationOfNodes;
  const stack = new ResourceStack();
  /** Seen from the node at which the device is. */
  const sites: Site[] = [];

  beforeAll(async () => {
    installation = stack.use(await startNodes(count, { database: stack.use(await lendDatabase()) }));
    const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
    const added = await Promise.all(
      installation.nodes.map((server) => addController({ server, api: server.api, web, ssh }, {})),
    );
    for (const site of added) sites.push(stack.use(site));
  }, 300_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  /** The device at one node, as it is seen from another one. */
  function seenFrom(near: number, far: number): Site & { server: InstalledNode } {
    const server = installation.node(near);
    const site = sites[far];
    if (!site) throw new Error(`there is no site ${far}`);
    return { ...site, server, api: server.api };
  }

  test.each(pairs)('node %i serves the web interface of a device of node %i', async (near, far) => {
    const { client, landed, url } = await openPage(seenFrom(near, far));
    expect(landed.status).toBe(200);
    expect(await landed.text()).toContain('landed');
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.request(url)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('landed');
    }
  });

  test.each(ring)('node %i opens a terminal to a device of node %i', async (near, far) => {
    const terminal = await startTerminal(seenFrom(near, far));
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    terminal.type('echo $((6 * 7))x\n');
    await terminal.waitForOutput(/42x/);
    terminal.type('exit\n');
    expect(await terminal.nextMessage()).toMatchObject({ type: 'exit' });
  });

  test('the jump host of each node opens a shell on a device of each node', async () => {
    await using folder = await makeTempDir('keys');
    const key = await makeSshKey(join(folder.path, 'account'));
    const { api } = installation.node(0);
    await api.call('addSshKey', { body: { name: 'Laptop', publicKey: key.publicKey } });
    const { adminEmail: email } = installation.node(0);
    for (const near of installation.nodes.keys()) {
      const site = seenFrom(near, near);
      await using client = await createJumpClient(site, { port: site.server.jumpPort, email, key });
      await Promise.all(
        sites.map(async ({ serialNumber, ssh }) => {
          const target = `${ssh.user}@${serialNumber}`;
          const answer = await client.run('ssh', [target, 'cat; exit 7'], { input: 'over two hops' });
          expect(answer).toMatchObject({ code: 7, stdout: 'over two hops' });
        }),
      );
    }
  });

  test.each(ring)('node %i gets the diagnostics of a device of node %i', async (near, far) => {
    const { api, serialNumber } = seenFrom(near, far);
    const params = { serialNumber };
    await api.call('requestDiagnostic', { params });
    const isReady = async () => (await api.call('getDiagnostic', { params })).status === 'ready';
    await poll(isReady, { what: 'the diagnostics are ready', timeoutMs: 30_000 });
  });

  async function openShell(site: Site) {
    const terminal = await startTerminal(site);
    const message = await terminal.nextMessage();
    if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
    return { terminal, resumeToken: message.resumeToken };
  }

  /** The login of one site at another node. */
  const sameLoginAt = (near: number, site: Site): Site => ({ ...site, server: installation.node(near) });

  test('a shell that has lost its connection goes on by another node, at the very byte', async () => {
    const site = seenFrom(1, 0);
    const { terminal, resumeToken } = await openShell(site);
    terminal.type('stty -echo; printf "be%s\\n" gun\n');
    await terminal.waitForOutput(/begun/);
    terminal.type('sleep 0.3; seq -f %06g 100000; printf "fin%s\\n" ished\n');
    const { received } = terminal;
    terminal.terminate();
    const resumed = await TerminalClient.open(sameLoginAt(2, site));
    resumed.received = received;
    resumed.send({ type: 'resume', resumeToken, received, columns: 80, rows: 24 });
    const answer = await resumed.nextMessage();
    if (answer.type !== 'resumed') throw new Error(`not resumed: ${JSON.stringify(answer)}`);
    // What was typed last may be lost with the connection, and is sent again as the console does.
    resumed.type(terminal.typed.slice(answer.received));
    await resumed.waitForOutput(/finished/);
    const expected = Array.from({ length: 100_000 }, (_, at) => String(at + 1).padStart(6, '0')).join('\r\n');
    expect(resumed.output.includes(expected)).toBe(true);
    resumed.type('exit 3\n');
    expect(await resumed.nextMessage()).toMatchObject({ type: 'exit', exitCode: 3 });
  });

  test('files of a shell of one node go and come by another node, and a third one hands a download out', async () => {
    const site = seenFrom(1, 0);
    const { terminal, resumeToken } = await openShell(site);
    const files = await FilesClient.open(sameLoginAt(2, site), resumeToken, sameLoginAt(0, site));
    const content = randomBytes(5_000_000);
    const { folder } = site.ssh;
    await files.upload(folder, 'over-nodes.bin', content);
    expect((await files.download(join(folder, 'over-nodes.bin'))).equals(content)).toBe(true);
    terminal.close();
  });

  test('a shell of one node is ended from the list of another one', async () => {
    const site = seenFrom(1, 0);
    const organizationId = await getOrganizationId(site);
    const { api } = installation.node(2);
    const list = () =>
      api.call('listTunnels', { params: { organizationId }, query: { state: 'live', page_size: 100 } });
    const before = new Set((await list()).results.map(({ id }) => id));
    const { terminal } = await openShell(site);
    const find = async () => {
      const results = (await list()).results.filter(({ id }) => !before.has(id));
      return results.find(
        ({ kind, serialNumber }) => kind === 'terminal' && serialNumber === site.serialNumber,
      );
    };
    const { id: tunnelId } = await poll(find, { what: 'the shell is listed' });
    await api.call('endTunnel', { params: { organizationId, tunnelId } });
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'ended_by_admin' });
    await expect(api.call('endTunnel', { params: { organizationId, tunnelId } })).rejects.toMatchObject({
      code: 'tunnel_not_found',
    });
  });

  test('what a device tells is seen at every node, and while somebody looks at once', async () => {
    await using broker = await startMqttBroker();
    const { server, api, web, ssh } = seenFrom(0, 0);
    await using controller = await addController({ server, api, web, ssh }, { mqtt: broker.url });
    const params = { serialNumber: controller.serialNumber };
    const readAt = async (index: number) => {
      const { devices } = await installation.node(index).api.call('getLastMqttData', { params });
      return devices.find(({ id }) => id === 'boiler')?.controls[0]?.value;
    };
    for (const value of ['61.5', '62']) {
      await broker.publish('/devices/boiler/controls/supply', value, { retain: true });
      for (const index of installation.nodes.keys()) await expect.poll(() => readAt(index)).toBe(value);
    }
  });

  test.each([1, 2])(
    'node %i serves an interface that a device has by another name and port',
    async (near) => {
      const site = seenFrom(near, 0);
      const params = { serialNumber: site.serialNumber };
      const { port } = site.web;
      await site.api.call('createService', { params, body: { name: 'Panel', port } });
      const { tunnelRedirectUrl } = await site.api.call('openTunnel', {
        params: { ...params, protocol: String(port) },
        body: { path: '/landed' },
      });
      const client = new HttpClient({ port: site.server.port });
      const answer = await client.request(tunnelRedirectUrl, { followRedirects: true });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('landed')]);
      await site.api.call('deleteService', { params: { ...params, port: String(port) } });
    },
  );

  test('a device that comes by SSH is reached from every node', async () => {
    const { web, ssh } = seenFrom(0, 0);
    await using device = await startSshDevice({
      program: openSsh,
      port: installation.node(0).jumpPort,
      forwards: [`pult-http:80:${web.address}`, `pult-ssh:22:${ssh.address}`],
    });
    const site = await claimSshDevice(seenFrom(0, 0), device);
    for (const near of installation.nodes.values()) {
      const seen = { ...site, server: near, api: near.api };
      const { landed } = await openPage(seen);
      expect([landed.status, await landed.text()]).toEqual([200, expect.stringContaining('landed')]);
      const { terminal } = await openShell(seen);
      terminal.type('exit 4\n');
      expect(await terminal.nextMessage()).toMatchObject({ type: 'exit', exitCode: 4 });
    }
  });

  // A gigabyte of it is in tests/release/nodes/nodes-gigabyte.test.ts.
  test('64 MB come over two hops without a changed byte', () =>
    expectWholeDownload(seenFrom(2, 1), largeBytes));

  test('a member who is removed at one node loses the shell at another one within 2 s', async () => {
    const site = seenFrom(1, 0);
    const email = 'installer@pult.example';
    const api: ApiClient = await addUser(site, email);
    const organizationId = await getOrganizationId(site);
    const invite = { params: { organizationId }, body: { email, role: 'member' } } as const;
    const { inviteUrl } = await site.api.call('inviteUser', invite);
    const organizationInviteToken = new URL(inviteUrl ?? '').searchParams.get('token') ?? '';
    await api.call('acceptInvite', { body: { organizationInviteToken } });
    const { id: userId } = await api.call('getCurrentUser');
    const terminal = await startTerminal({ ...site, api });
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    const elapsed = startStopwatch(installation.node(2).process, site.server.process);
    await installation.node(2).api.call('removeMember', { params: { organizationId, userId } });
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'access_ended' });
    expect(elapsed()).toBeLessThan(2_000);
  });
});
