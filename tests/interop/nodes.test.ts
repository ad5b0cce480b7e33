import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  type ApiClient,
  makeSshKey,
  makeTempDir,
  poll,
  type ServerProcess,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstallationOfNodes, startNodes } from './installation-of-nodes.ts';
import { createJumpClient } from './jump-client.ts';
import { addController, addUser, getOrganizationId, openTunnel, type Site } from './site.ts';
import { startTerminal } from './terminal-client.ts';

// Two nodes with a device each: whoever asks is at one of them, and the device at the other one. The steps build on each other.
describe.sequential('an installation of two nodes', () => {
  let installation: InstallationOfNodes;
  let ends: AsyncDisposable[] = [];
  /** Seen from the node at which the device is. */
  const sites: Site[] = [];

  beforeAll(async () => {
    installation = await startNodes(2);
    const [web, ssh] = [await startWebServer(), await startSshServer()];
    ends = [web, ssh];
    for (const server of installation.nodes) {
      const api = await installation.apiOf(server);
      // Its agent and serial number are those of the controller that is added.
      const base = { server, api, web, ssh } as Site;
      const site = await addController(base, {});
      sites.push(site);
      ends.push(site);
    }
  }, 300_000);
  afterAll(async () => {
    for (const end of ends.reverse()) await end[Symbol.asyncDispose]();
    await installation?.[Symbol.asyncDispose]();
  });

  const siteAt = (index: number): Site => sites[index] as Site; // both were started
  /** The device of one node, asked at the other one. */
  const across = (holder: number): Site => {
    const { server, api } = siteAt(1 - holder);
    return { ...siteAt(holder), server, api };
  };

  /** All nodes have one public address; this goes to that node, whatever the address says. */
  async function ask(node: ServerProcess, url: string, cookie?: string) {
    const { host, pathname, search } = new URL(url);
    const headers = { host, ...(cookie === undefined ? {} : { cookie }) };
    const asked = request({ host: '127.0.0.1', port: node.port, path: pathname + search, headers });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject).end();
    });
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  async function openPage(site: Site) {
    const { tunnelRedirectUrl } = await openTunnel(site, 'http');
    const opened = await ask(site.server, tunnelRedirectUrl);
    const cookie = (opened.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
    const page = new URL('/landed', tunnelRedirectUrl).href;
    return { ask: () => ask(site.server, page, cookie) };
  }

  test.each([0, 1])('the web interface of a device at node %i comes through the other one', async (holder) => {
    const page = await openPage(across(holder));
    const answers = await Promise.all(Array.from({ length: 10 }, page.ask));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toContain('landed');
    }
  });

  test.each([0, 1])('a terminal to a device at node %i runs at the other one', async (holder) => {
    const terminal = await startTerminal(across(holder));
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    terminal.type('echo $((6 * 7))x\n');
    await terminal.waitForOutput(/42x/);
    terminal.type('exit\n');
    expect(await terminal.nextMessage()).toMatchObject({ type: 'exit' });
  });

  test.each([0, 1])('a shell through the jump host of the other node reaches a device at node %i', async (holder) => {
    const site = across(holder);
    const folder = await makeTempDir('keys');
    const key = await makeSshKey(join(folder.path, 'account'));
    await site.api.call('addSshKey', { body: { name: `Laptop ${holder}`, publicKey: key.publicKey } });
    const port = installation.jumpPorts[1 - holder] ?? 0;
    await using client = await createJumpClient(site, { port, email: site.server.adminEmail, key });
    const answer = await client.run('ssh', [`${site.ssh.user}@${site.serialNumber}`, 'cat; exit 7'], { input: 'over two hops' });
    expect(answer).toMatchObject({ code: 7, stdout: 'over two hops' });
    await folder.remove();
  });

  test.each([0, 1])('diagnostics of a device at node %i are asked for at the other one', async (holder) => {
    const { api, serialNumber } = across(holder);
    const params = { serialNumber };
    await api.call('requestDiagnostic', { params });
    const state = () => api.call('getDiagnostic', { params });
    const isReady = async () => (await state()).status === 'ready';
    await poll(isReady, { what: 'the diagnostics are ready', timeoutMs: 60_000 });
  });

  test('a member who is removed at one node loses the shell at the other one within 2 s', async () => {
    const near = across(0);
    const email = 'installer@pult.example';
    const api: ApiClient = await addUser(near, email);
    const organizationId = await getOrganizationId(near);
    const invite = { params: { organizationId }, body: { email, role: 'member' } } as const;
    const { inviteUrl } = await siteAt(0).api.call('inviteUser', invite);
    const organizationInviteToken = new URL(inviteUrl ?? '').searchParams.get('token') ?? '';
    await api.call('acceptInvite', { body: { organizationInviteToken } });
    const { id: userId } = await api.call('getCurrentUser');
    const terminal = await startTerminal({ ...near, api });
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    const removedAt = performance.now();
    await siteAt(0).api.call('removeMember', { params: { organizationId, userId } });
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'access_ended' });
    expect(performance.now() - removedAt).toBeLessThan(2_000);
  });

  test('without NATS each node serves what it holds and says of the rest that its node is not reached', async () => {
    const own = await openPage(siteAt(0));
    await installation.nats.halt();
    const refusalOf = () => openTunnel(across(1), 'http').then(String, (error: unknown) => error);
    await expect.poll(refusalOf).toMatchObject({ status: 503, code: 'node_unreachable' });
    expect((await own.ask()).status).toBe(200);
    const isReady = async () => (await ask(siteAt(0).server, `${siteAt(0).server.url}/readyz`)).status;
    await expect.poll(isReady, { timeout: 20_000 }).toBe(503);
    await installation.nats.start();
    await expect.poll(isReady, { timeout: 20_000 }).toBe(200);
    const page = await openPage(across(1));
    expect((await page.ask()).status).toBe(200);
  });

  test('the death of the node that holds a device is the end of a shell at the other one', async () => {
    const terminal = await startTerminal(across(1));
    expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
    await siteAt(1).server.kill();
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'controller_offline' });
    await expect(openTunnel(across(1), 'http')).rejects.toMatchObject({ code: 'node_unreachable' });
  });
});
