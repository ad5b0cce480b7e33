import { setTimeout as delay } from 'node:timers/promises';
import { FaultProxy, poll, ResourceStack, startSshServer, startWebServer } from '@pult/testkit';
import { expect, test } from 'vitest';
import { startNodes } from '../../interop/installation-of-nodes.ts';
import {
  addController,
  getOrganizationId,
  openTunnel,
  type Site,
  waitForStatus,
} from '../../interop/site.ts';
import { startTerminal } from '../../interop/terminal-client.ts';
import { startMessageReceiver } from './message-receiver.ts';

/** The times of the product itself: a node gives itself up after 30 s, ten before the others do. */
const pausedMs = 30_000;

async function openShell(site: Site) {
  const terminal = await startTerminal(site);
  expect(await terminal.nextMessage()).toMatchObject({ type: 'ready' });
  return terminal;
}

test('a node that stands still for 30 s gives up what it holds before the others believe it gone, and nothing is done twice', async () => {
  await using stack = new ResourceStack();
  const receiver = await startMessageReceiver(stack);
  // What leads a device to a node, as a balancer would.
  const levers = await Promise.all(
    [0, 1].map(async () => stack.use(await FaultProxy.start({ target: { host: '127.0.0.1', port: 1 } }))),
  );
  const urls = levers.map(({ port }) => `http://localhost:${port}`);
  const installation = stack.use(
    await startNodes(2, {
      env: async () => ({ AGENT_URLS: urls.join(','), ALERT_WEBHOOK_PRIVATE: 'true' }),
    }),
  );
  const [staying, paused] = [installation.node(0), installation.node(1)];
  for (const lever of levers) lever.leadTo(paused.port);
  const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
  const base = { server: staying, api: staying.api, web, ssh };
  const [moving, faithful] = (await Promise.all(
    urls.map(async (serverUrl) => stack.use(await addController(base, { serverUrl }))),
  )) as [Site, Site];
  const organizationId = await getOrganizationId(moving);
  const params = { organizationId };
  await staying.api.call('createWebhook', {
    params,
    body: { name: 'Counter', url: receiver.url, events: ['group.created'] },
  });
  let groups = 0;
  async function createGroups() {
    for (let each = 0; each < 5; each += 1) {
      groups += 1;
      await staying.api.call('createGroup', {
        body: { organization: organizationId, name: `Group ${groups}` },
      });
    }
  }
  const findHolder = async ({ serialNumber }: Site) => {
    const text = 'select held_by from controllers where serial_number = $1';
    return (await installation.query(text, [serialNumber]))[0]?.held_by;
  };
  const [stayingId, pausedId] = [await staying.getId(), await paused.getId()];
  expect([await findHolder(moving), await findHolder(faithful)]).toEqual([pausedId, pausedId]);
  const own = await openShell({ ...faithful, server: paused, api: paused.api });

  const isRenewed = async () => {
    const text = "select lease_until > now() + interval '39 s' as is_renewed from nodes where id = $1";
    return (await installation.query(text, [pausedId]))[0]?.is_renewed === true;
  };
  await poll(isRenewed, { what: 'the lease was just renewed', intervalMs: 50 });
  paused.process.signal('SIGSTOP');
  const stoppedAt = performance.now();
  const line = paused.process.nextLine;
  levers[0]?.leadTo(staying.port);
  levers[0]?.reset();
  await poll(async () => (await findHolder(moving)) === stayingId, { what: 'the device has moved' });
  const shell = await openShell(moving);
  const links = moving.agent.process.nextLine;
  await createGroups();
  await delay(pausedMs - (performance.now() - stoppedAt));
  paused.process.signal('SIGCONT');

  await paused.process.waitForLine(/it could not be renewed.*has lost its lease/, { since: line });
  await paused.process.waitForLine(/this node is back under another id/, { since: line });
  expect(await own.nextMessage()).toMatchObject({ type: 'failed', code: 'server_stopping' });
  const newId = await paused.getId();
  expect(newId).not.toBe(pausedId);
  const [{ was_first: wasFirst } = {}] = await installation.query(
    'select (select lease_until from nodes where id = $1) > (select started_at from nodes where id = $2) as was_first',
    [pausedId, newId],
  );
  expect(wasFirst).toBe(true);

  // The device that has moved stays where it is, with what is open there; the other one comes back.
  shell.type('exit 7\n');
  expect(await shell.nextMessage()).toMatchObject({ type: 'exit', exitCode: 7 });
  await poll(async () => (await findHolder(faithful)) === newId, { what: 'the other device is back' });
  await waitForStatus(faithful, 'online');
  await createGroups();
  await poll(() => receiver.received.size === groups, { what: 'all messages have come' });
  for (const server of [staying, paused])
    await expect(openTunnel({ ...moving, server, api: server.api }, 'http')).resolves.toBeDefined();
  expect(await findHolder(moving)).toBe(stayingId);
  expect(moving.agent.process.hasLine(/link: connected/, links)).toBe(false);
  // After its lease one of the others cleans up, and what it has ended itself stays as it was ended.
  const isCleaned = async () =>
    (await installation.query('select cleaned_at from nodes where id = $1', [pausedId]))[0]?.cleaned_at !==
    null;
  await poll(isCleaned, { what: 'the former node is cleaned up after', timeoutMs: 30_000 });
  const records = await installation.query(
    'select end_reason, count(*)::int from tunnel_records where node_id = $1 group by 1',
    [pausedId],
  );
  expect(records).toEqual([{ end_reason: 'server_failed', count: 1 }]);
  expect([...new Set(receiver.received.values())]).toEqual([1]);
}, 240_000);
