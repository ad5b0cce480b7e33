import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  freePort,
  HttpClient,
  poll,
  ResourceStack,
  repositoryPath,
  startHaproxy,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { expect, test } from 'vitest';
import { startNodes } from './installation-of-nodes.ts';
import { addController, openTunnel, type Site } from './site.ts';
import { startTerminal } from './terminal-client.ts';

/** deploy/haproxy-several.cfg in front of these nodes, without TLS. */
async function balance(port: number, ports: readonly number[]): Promise<string> {
  const text = await readFile(repositoryPath('deploy/haproxy-several.cfg'), 'utf8');
  return (text.split('# Native SSH.')[0] ?? '')
    .replace('maxconn 100000', 'maxconn 1000')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(
      /10\.0\.0\.1(\d):8080/g,
      (_, number: string) => `127.0.0.1:${ports[Number(number) - 1] ?? 1}`,
    );
}

test('nodes that are restarted one after the other answer every request, and no controller is offline meanwhile', async () => {
  await using stack = new ResourceStack();
  const [port, statsPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const installation = stack.use(
    await startNodes(2, { env: async () => ({ PUBLIC_URL: url, AGENT_URLS: url }) }),
  );
  const ports = installation.nodes.map((node) => node.port);
  const stats = `listen stats\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n`;
  stack.use(await startHaproxy(`${await balance(port, ports)}\n${stats}`, port));
  const [web, ssh] = [stack.use(await startWebServer()), stack.use(await startSshServer())];
  const balanced = async (path: string) => {
    const answer = await new HttpClient().request(url + path);
    await answer.text();
    return answer.status;
  };
  // Until both are taken by the balancer.
  await poll(async () => (await balanced('/readyz')) === 200, { what: 'the balancer answers' });
  const sites: Site[] = [];
  for (let index = 0; index < 4; index += 1) {
    const server = installation.node(index % 2);
    const site = await addController({ server, api: server.api, web, ssh }, { serverUrl: url });
    sites.push(stack.use(site));
  }

  const isUsed = async (number: number) => {
    const answer = await new HttpClient().request(`http://127.0.0.1:${statsPort}/;csv`);
    return new RegExp(`^pult,pult-${number},.*,UP,`, 'm').test(await answer.text());
  };
  for (const number of [1, 2]) await poll(() => isUsed(number), { what: 'the balancer uses both nodes' });

  const statuses = new Map<number | string, number>();
  const seen = new Set<string>();
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const status = await balanced('/api/v1/environments/').catch(String);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await delay(20);
    }
  })();
  const looking = (async () => {
    while (!isOver) {
      for (const row of await installation.query('select status from controllers'))
        seen.add(String(row.status));
      await delay(100);
    }
  })();

  for (const [index, node] of installation.nodes.entries()) {
    const other = installation.node(1 - index);
    const bystander = await startTerminal({ ...(sites[0] as Site), server: other, api: other.api });
    expect(await bystander.nextMessage()).toMatchObject({ type: 'ready' });
    expect((await node.halt()).code).toBe(0);
    // All are at the other one by now, or will be in a moment.
    for (const site of sites) {
      const isServed = async () => {
        const { tunnelRedirectUrl } = await openTunnel({ ...site, server: other, api: other.api }, 'http');
        const client = new HttpClient({ port: other.port });
        return (await client.request(tunnelRedirectUrl, { followRedirects: true })).status === 200;
      };
      const patience = { what: 'the device is served', timeoutMs: 60_000, intervalMs: 250 };
      await poll(() => isServed().catch(() => false), patience);
    }
    bystander.close();
    await node.start();
    await poll(() => isUsed(index + 1), { what: 'the balancer uses the node again', timeoutMs: 60_000 });
  }
  isOver = true;
  await Promise.all([asking, looking]);
  expect([...statuses.keys()]).toEqual([200]);
  expect([...seen]).toEqual(['online']);
  const [active] = await installation.query("select count(*)::int from nodes where state = 'active'");
  expect(active).toEqual({ count: 2 });
}, 240_000);
