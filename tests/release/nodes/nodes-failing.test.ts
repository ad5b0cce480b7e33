import { HttpClient, ResourceStack, startSshServer, startWebServer } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstallationOfNodes, startNodes } from '../../interop/installation-of-nodes.ts';
import { addController, openTunnel, type Site, waitForStatus } from '../../interop/site.ts';
import { startTerminal, TerminalClient } from '../../interop/terminal-client.ts';

const count = 3;
const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'opened',
    (error: { code?: string }) => error.code ?? String(error),
  );

// What breaks is mended again before the next test.
describe.sequential('an installation of three nodes in which something breaks', () => {
  let installation: InstallationOfNodes;
  const stack = new ResourceStack();
  /** Seen from the node at which the device is. */
  const sites: Site[] = [];

  beforeAll(async () => {
    installation = stack.use(await startNodes(count));
    const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
    const base = (index: number) => {
      const server = installation.node(index);
      return { server, api: server.api, web, ssh };
    };
    const added = await Promise.all(installation.nodes.map((_, index) => addController(base(index), {})));
    for (const site of added) sites.push(stack.use(site));
  }, 300_000);
  afterAll(() => stack[Symbol.asyncDispose]());

  function siteOf(index: number): Site {
    const site = sites[index];
    if (!site) throw new Error(`there is no site ${index}`);
    return site;
  }
  /** The device at one node, as it is seen from another one. */
  const seenFrom = (near: number, far: number): Site => {
    const server = installation.node(near);
    return { ...siteOf(far), server, api: server.api };
  };

  async function isServed(near: number, far: number): Promise<boolean> {
    const site = seenFrom(near, far);
    const client = new HttpClient({ port: site.server.port });
    const { tunnelRedirectUrl } = await openTunnel(site, 'http', '/landed');
    const answer = await client.request(tunnelRedirectUrl, { followRedirects: true });
    return answer.status === 200 && (await answer.text()).includes('landed');
  }
  const readyOf = async (index: number) => {
    const answer = await new HttpClient().request(`${installation.node(index).url}/readyz`);
    return answer.status;
  };
  async function openShell(site: Site) {
    const terminal = await startTerminal(site);
    const message = await terminal.nextMessage();
    if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
    return { terminal, resumeToken: message.resumeToken };
  }
  const whenServed = (near: number, far: number) =>
    expect.poll(() => isServed(near, far).catch(String), { timeout: 30_000 }).toBe(true);

  test('a node that is cut off from NATS serves what it holds, says of the rest that it is not reached, and is not ready after 10 s', async () => {
    const { toNats } = installation.node(1);
    toNats.isRefusing = true;
    toNats.reset();
    await expect.poll(() => codeOf(openTunnel(seenFrom(1, 0), 'http'))).toBe('node_unreachable');
    await expect.poll(() => codeOf(openTunnel(seenFrom(0, 1), 'http'))).toBe('node_unreachable');
    expect(await isServed(1, 1)).toBe(true);
    expect(await isServed(2, 0)).toBe(true);
    await expect.poll(() => readyOf(1)).toBe(503);
    toNats.isRefusing = false;
    await expect.poll(() => readyOf(1)).toBe(200);
    await whenServed(1, 0);
    await whenServed(0, 1);
  });

  test('nodes without NATS go on for what each holds, and find each other again', async () => {
    await installation.nats.halt();
    const { terminal } = await openShell(seenFrom(0, 0));
    // A page may go on over streams that are open.
    const refused = await openShell(seenFrom(0, 1)).catch(String);
    expect(refused).toContain('node_unreachable');
    expect(await isServed(2, 2)).toBe(true);
    await installation.nats.start();
    for (const near of [0, 1, 2]) await whenServed(near, (near + 1) % count);
    terminal.type('exit 5\n');
    expect(await terminal.nextMessage()).toMatchObject({ type: 'exit', exitCode: 5 });
  });

  test('what two nodes cannot bring each other is not reached, by its own name, and a shell between them ends', async () => {
    const { fromNodes } = installation.node(0);
    const { terminal } = await openShell(seenFrom(1, 0));
    fromNodes.isRefusing = true;
    fromNodes.reset();
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'controller_offline' });
    expect(await codeOf(openTunnel(seenFrom(1, 0), 'http'))).toBe('node_unreachable');
    expect(await isServed(0, 1)).toBe(true);
    expect(installation.node(1).process.hasLine(/another node is not reached/)).toBe(true);
    fromNodes.isRefusing = false;
    await whenServed(1, 0);
  });

  test('a database that fails over to its standby ends no link and no process, and all is back', async () => {
    const ids = await Promise.all(installation.nodes.map((node) => node.getId()));
    const countOpened = async () => {
      const [row] = await installation.query(
        "select coalesce(sum(count), 0)::int as count from audit_events where action = 'terminal.opened'",
      );
      return row?.count as number;
    };
    const before = await countOpened();
    const { terminal } = await openShell(seenFrom(1, 0));
    // A shell of which nothing could be written down would end.
    await expect.poll(countOpened).toBe(before + 1);
    await installation.postgres.killPrimary();
    installation.postgres.leadTo('standby');
    await expect.poll(() => codeOf(openTunnel(seenFrom(1, 0), 'http'))).toBe('service_unavailable');
    await installation.postgres.promoteStandby();
    const promotedAt = performance.now();
    for (const near of [0, 1, 2]) await whenServed(near, (near + 1) % count);
    expect(performance.now() - promotedAt).toBeLessThan(10_000);
    expect(await Promise.all(installation.nodes.map((node) => node.getId()))).toEqual(ids);
    terminal.type('echo $((6 * 7))x\n');
    await terminal.waitForOutput(/42x/);
    terminal.close();
  });

  test('a node that stood still while its lease ended cuts its links and is back under another id', async () => {
    const node = installation.node(1);
    const id = await node.getId();
    const { terminal } = await openShell(seenFrom(0, 1));
    node.process.signal('SIGSTOP');
    await installation.endLease(id);
    // Others clean up after it, and believe nothing of it any more.
    await expect
      .poll(
        async () =>
          (await installation.query('select cleaned_at from nodes where id = $1', [id]))[0]?.cleaned_at,
      )
      .not.toBeNull();
    // Of many tunnels of one person the oldest make room: it is not asked too often.
    await expect
      .poll(() => codeOf(openTunnel(seenFrom(0, 1), 'http')), { interval: 500 })
      .toBe('controller_offline');
    const line = node.process.nextLine;
    node.process.signal('SIGCONT');
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'controller_offline' });
    await node.process.waitForLine(/this node is back under another id/, { since: line });
    expect(await node.getId()).not.toBe(id);
    await whenServed(0, 1);
    await whenServed(1, 0);
  }, 60_000);

  test('a node that is killed: its device is not reached while its lease lasts and offline then, and its shells say that it is gone', async () => {
    const node = installation.node(2);
    const id = await node.getId();
    const { terminal } = await openShell(seenFrom(0, 2));
    const own = await openShell(seenFrom(2, 1));
    const login = seenFrom(2, 1).api;
    const bystander = await openShell(seenFrom(0, 1));
    await node.kill();
    expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'controller_offline' });
    expect(await codeOf(openTunnel(seenFrom(0, 2), 'http'))).toBe('node_unreachable');
    await installation.endLease(id);
    expect(await codeOf(openTunnel(seenFrom(0, 2), 'http'))).toBe('controller_offline');
    const resumed = await TerminalClient.open({ ...seenFrom(0, 1), api: login });
    const { received } = own.terminal;
    resumed.send({ type: 'resume', resumeToken: own.resumeToken, received, columns: 80, rows: 24 });
    expect(await resumed.nextMessage()).toMatchObject({ type: 'failed', code: 'node_gone' });
    bystander.terminal.type('exit 6\n');
    expect(await bystander.terminal.nextMessage()).toMatchObject({ type: 'exit', exitCode: 6 });
    // What it had open is written down as ended.
    const left = () =>
      installation.query('select 1 from tunnel_records where node_id = $1 and ended_at is null', [id]);
    await expect.poll(async () => (await left()).length).toBe(0);
  });

  test('a node that was dead comes back as another one, and its device with it', async () => {
    const node = installation.node(2);
    const before = await node.getId();
    await node.start();
    expect(await node.getId()).not.toBe(before);
    await waitForStatus(siteOf(2), 'online');
    await whenServed(0, 2);
    await whenServed(2, 0);
  }, 60_000);
});
