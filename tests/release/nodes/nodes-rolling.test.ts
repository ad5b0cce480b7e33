import { setTimeout as delay } from 'node:timers/promises';
import {
  createApiClient,
  freePort,
  HttpClient,
  poll,
  ResourceStack,
  repositoryPath,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { expect, test } from 'vitest';
import { version } from '../../../package.json' with { type: 'json' };
import { startBalancer } from '../../interop/balancer.ts';
import { type InstallationOfNodes, startNodes } from '../../interop/installation-of-nodes.ts';
import { addController, openTunnel, type Site } from '../../interop/site.ts';
import { startTerminal, TerminalClient } from '../../interop/terminal-client.ts';
import { buildNextVersion, type NextVersion, nextPart, nextVersion } from './next-version.ts';

/** The version before and the one after it: this one and what it will be followed by, or with PULT_BEFORE a real one and this one. */
async function findVersions(stack: ResourceStack): Promise<{ before?: string; after?: NextVersion }> {
  const before = process.env.PULT_BEFORE;
  return before ? { before } : { after: stack.use(await buildNextVersion()) };
}

const seenAt = (installation: InstallationOfNodes, index: number, site: Site): Site => {
  const server = installation.node(index);
  return { ...site, server, api: server.api };
};

async function openShell(site: Site) {
  const terminal = await startTerminal(site);
  const message = await terminal.nextMessage();
  if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
  return { terminal, resumeToken: message.resumeToken };
}

async function isServed(site: Site): Promise<boolean> {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http', '/landed');
  const client = new HttpClient({ port: site.server.port });
  const answer = await client.request(tunnelRedirectUrl, { followRedirects: true });
  return answer.status === 200 && (await answer.text()).includes('landed');
}

const patience = { timeoutMs: 60_000, intervalMs: 250 };

/** What is done again and again until `end`, or until the test is over; whatever it throws is noted. */
function repeat(stack: ResourceStack, pauseMs: number, run: (round: number) => Promise<unknown>) {
  const failures = new Set<string>();
  let isOver = false;
  let rounds = 0;
  const running = (async () => {
    for (; !isOver; rounds += 1) {
      await run(rounds).catch((error: unknown) => failures.add(String(error)));
      await delay(pauseMs);
    }
  })();
  const end = async () => {
    isOver = true;
    await running;
    return { rounds, failures: [...failures] };
  };
  stack.use({ [Symbol.asyncDispose]: async () => void (await end()) });
  return end;
}

/** Somebody who reads and changes something, one call after the other. */
const useApi =
  ({ call }: Site['api'], { serialNumber }: Site) =>
  async (round: number) => {
    const params = { serialNumber };
    const description = `${Math.floor(round / 3)}`;
    if (round % 3 === 0) await call('updateController', { params, body: { description } });
    else if (round % 3 === 1) expect((await call('getController', { params })).description).toBe(description);
    else await call('listControllers');
  };

test('nodes that are upgraded one after the other answer every call beside those of the version before, and no controller is offline meanwhile', async () => {
  await using stack = new ResourceStack();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { before, after } = await findVersions(stack);
  const installation = stack.use(
    await startNodes(2, { main: before, env: async () => ({ PUBLIC_URL: url, AGENT_URLS: url }) }),
  );
  const ports = installation.nodes.map((node) => node.port);
  const balancer = stack.use(await startBalancer(port, ports));
  const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];

  for (const index of [0, 1])
    await poll(() => balancer.isUsed(index), { ...patience, what: 'the balancer uses both nodes' });
  const sites: Site[] = [];
  async function addSite(by: number): Promise<Site> {
    const server = installation.node(by);
    const site = await addController({ server, api: server.api, web, ssh }, { serverUrl: url });
    sites.push(stack.use(site));
    return site;
  }
  for (const by of [0, 1, 0, 1]) await addSite(by);
  const at = (index: number, site: Site) => seenAt(installation, index, site);
  const siteOf = (index: number) => sites[index] as Site;

  /** At which of the nodes a device is. */
  async function findHolder({ serialNumber }: Site): Promise<number> {
    const [row] = await installation.query('select held_by from controllers where serial_number = $1', [
      serialNumber,
    ]);
    const ids = await Promise.all(installation.nodes.map((node) => node.getId()));
    return ids.indexOf(String(row?.held_by));
  }

  const seen = new Set<string>();
  const endLooking = repeat(stack, 100, async () => {
    for (const { status } of await installation.query(
      "select status from controllers where status <> 'never'",
    ))
      seen.add(`${status}`);
  });
  const { adminEmail: username, adminPassword: password } = installation.node(0);
  const people = await Promise.all(
    [0, 1].map(async (person) =>
      repeat(stack, 10, useApi(await createApiClient({ baseUrl: url, username, password }), siteOf(person))),
    ),
  );

  /** Ends a node as its service manager does, and starts it by the version after. */
  async function upgrade(index: number): Promise<void> {
    const [node, other] = [installation.node(index), 1 - index];
    const held = await Promise.all(sites.map(findHolder));
    const [leaving, staying] = [siteOf(held.indexOf(index)), siteOf(held.indexOf(other))];
    const own = await openShell(at(index, staying));
    const through = await openShell(at(other, leaving));
    const bystander = await openShell(at(other, staying));
    expect((await node.halt()).code).toBe(0);
    expect(await own.terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'server_stopping' });
    expect(await through.terminal.nextMessage()).toMatchObject({
      type: 'failed',
      code: 'controller_offline',
    });
    // All are at the other one by now, or will be in a moment.
    for (const site of sites)
      await poll(() => isServed(at(other, site)).catch(() => false), {
        ...patience,
        what: 'the device is served',
      });
    bystander.terminal.type('exit 6\n');
    expect(await bystander.terminal.nextMessage()).toMatchObject({ type: 'exit', exitCode: 6 });
    await node.start(after?.main ?? repositoryPath('apps/server/dist/main.js'));
    await poll(() => balancer.isUsed(index), { ...patience, what: 'the balancer uses the node again' });
  }

  /** What one node asks of the other one, for a device that is there. */
  async function useAcross(near: number, far: number, site: Site): Promise<void> {
    expect(await isServed(at(near, site))).toBe(true);
    const { terminal, resumeToken } = await openShell(at(near, site));
    terminal.type('echo $((6 * 7))x\n');
    await terminal.waitForOutput(/42x/);
    const { received } = terminal;
    terminal.terminate();
    // The same login at the node that has not got the shell.
    const resumed = await TerminalClient.open({ ...at(near, site), server: installation.node(far) });
    resumed.send({ type: 'resume', resumeToken, received, columns: 80, rows: 24 });
    expect(await resumed.nextMessage()).toMatchObject({ type: 'resumed' });
    const { api } = installation.node(far);
    const [organization] = await api.call('listOrganizations');
    const params = { organizationId: organization?.id ?? '' };
    const find = async () =>
      (await api.call('listTunnels', { params, query: { state: 'live', page_size: 100 } })).results.find(
        ({ kind, serialNumber }) => kind === 'terminal' && serialNumber === site.serialNumber,
      );
    const { id: tunnelId } = await poll(find, { what: 'the shell is listed' });
    await api.call('endTunnel', { params: { ...params, tunnelId } });
    expect(await resumed.nextMessage()).toMatchObject({ type: 'failed', code: 'ended_by_admin' });
    await api.call('requestDiagnostic', { params: { serialNumber: site.serialNumber } });
    await poll(
      async () =>
        (await api.call('getDiagnostic', { params: { serialNumber: site.serialNumber } })).status === 'ready',
      { ...patience, what: 'the diagnostics are ready' },
    );
  }

  await upgrade(0);
  // What comes now is led to where the fewest are.
  let came = await addSite(1);
  for (let tries = 0; (await findHolder(came)) !== 0 && tries < 5; tries += 1) came = await addSite(1);
  await useAcross(1, 0, came);
  await useAcross(0, 1, siteOf(1));
  const { results } = await installation.node(1).api.call('listInstallationNodes');
  const versions = results.filter(({ state }) => state === 'active').map(({ version }) => version);
  if (after) {
    expect(versions.sort()).toEqual([nextVersion, version].sort());
    // A page of one version may ask a node of the other one for its parts.
    for (const part of [nextPart, after.formerPart, 'assets/of-none.js']) {
      const statuses = installation.nodes.map(async ({ url: own }) => (await fetch(`${own}/${part}`)).status);
      expect([part, ...(await Promise.all(statuses))]).toEqual([
        part,
        ...(part === 'assets/of-none.js' ? [404, 404] : [200, 200]),
      ]);
    }
  }

  await upgrade(1);
  expect((await endLooking()).failures).toEqual([]);
  expect([...seen]).toEqual(['online']);
  for (const end of people) {
    const { rounds, failures } = await end();
    expect(failures).toEqual([]);
    expect(rounds).toBeGreaterThan(100);
  }
}, 400_000);
