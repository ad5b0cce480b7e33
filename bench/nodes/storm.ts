import { setTimeout as wait } from 'node:timers/promises';
import { createApiClient, freePort, poll, ResourceStack } from '@pult/testkit';
import { backOffLimits } from '../../apps/agent/src/link/back-off.ts';
import { type Balancer, startBalancer } from '../../tests/interop/balancer.ts';
import { startNodes } from '../../tests/interop/installation-of-nodes.ts';
import { printCalls, startApiCalls } from '../links/api-calls.ts';
import { type Devices, seedDevices, startDevices } from '../links/site.ts';
import { print } from '../tunnel/figures.ts';

const nodeCount = 3;
const backMs = 60_000;
const balancers = 2;
/** Of one HAProxy, which has two files for each, and a process may have some 20,000: a device's link and what it asks beside it. */
const maxConnections = 9_500;

const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** When which share of the devices that were lost was linked again, in milliseconds from now. */
async function watchReturn({ counts }: Devices, count: number) {
  const begun = performance.now();
  const seen: { at: number; linked: number }[] = [];
  const look = () => {
    const { linked } = counts();
    seen.push({ at: performance.now() - begun, linked });
    return linked;
  };
  await poll(() => look() < count, { what: 'the devices have lost their node', intervalMs: 20 });
  // On a machine that has no time for them they may not come at all: what there is to tell is told.
  await poll(() => look() === count, {
    what: 'all devices are back',
    timeoutMs: 300_000,
    intervalMs: 100,
  }).catch((error: Error) => print(`MISSED: ${error.message}, ${counts().linked} of ${count} linked`));
  const least = seen.reduce((one, other) => (other.linked < one.linked ? other : one));
  return (share: number) =>
    seen.find(({ at, linked }) => at >= least.at && linked >= least.linked + share * (count - least.linked))
      ?.at ?? Number.NaN;
}

/** One of three nodes is killed, which holds a third of so many devices, or all of them. */
export async function measureStorm({
  count,
  isGathered,
}: {
  count: number;
  isGathered: boolean;
}): Promise<void> {
  await using stack = new ResourceStack();
  const ports = await Promise.all(Array.from({ length: balancers }, () => freePort()));
  const urls = ports.map((port) => `http://localhost:${port}`);
  const [balancerPort = 0] = ports;
  const installation = stack.use(
    await startNodes(nodeCount, {
      isDirect: true,
      env: async () => ({
        PUBLIC_URL: urls[0] ?? '',
        AGENT_URLS: urls.join(','),
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'warn',
      }),
    }),
  );
  const { postgres } = installation;
  const nodePorts = installation.nodes.map((node) => node.port);
  const started: Balancer[] = [];
  for (const port of ports) {
    const balancer = stack.use(await startBalancer(port, nodePorts, { maxConnections }));
    for (const index of nodePorts.keys())
      await poll(() => balancer.isUsed(index), { what: 'the balancer uses all nodes', timeoutMs: 30_000 });
    started.push(balancer);
  }
  /** The others take nobody new, while the first one takes all devices. */
  async function drainOthers(isDraining: boolean) {
    for (const balancer of started)
      for (const index of nodePorts.keys()) if (index > 0) await balancer.setDraining(index, isDraining);
  }
  if (isGathered) await drainOthers(true);
  const [organization] = await installation.query('select id from organizations');
  const organizationId = String(organization?.id);
  await seedDevices({ url: postgres.primaryUrl }, organizationId, count);

  const devices = startDevices(stack, { serverUrls: urls }, count, balancers);
  const first = await devices.whenLinked(120_000 + count * 60);
  print(`\n${count} devices linked for the first time in ${inSeconds(first)}`);
  if (isGathered) await drainOthers(false);
  // A link that has lived for a minute begins its next waits at one second again.
  await wait(backOffLimits.healthyMs);

  const countHeld = async () => {
    const rows = await installation.query(
      `select nodes.address, count(*)::int from controllers join nodes on nodes.id = held_by where status = 'online' group by 1`,
    );
    return new Map(rows.map(({ address, count: held }) => [String(address), Number(held)]));
  };
  const { adminEmail: username, adminPassword: password } = installation.node(0);
  const { access } = await createApiClient({ baseUrl: urls[0] ?? '', username, password });
  const startCalls = () => startApiCalls(balancerPort, access, organizationId);

  const endQuiet = startCalls();
  await wait(10_000);
  const quiet = await endQuiet();
  const held = await countHeld();
  const [address] = await installation.query('select address from nodes where id = $1', [
    await installation.node(0).getId(),
  ]);
  const lost = held.get(String(address?.address)) ?? 0;
  const before = devices.counts();

  const endCalls = startCalls();
  const [backAfter] = await Promise.all([watchReturn(devices, count), installation.node(0).kill()]);
  const calls = await endCalls();
  const after = devices.counts();

  const back = backAfter(1);
  print(`\nOne of ${nodeCount} nodes killed, which held ${lost} of ${count} devices`);
  print(
    `  back: ${[0.5, 0.9, 0.99].map((share) => `${share * 100} % ${inSeconds(backAfter(share))}`).join(', ')}, ` +
      `all ${inSeconds(back)} (≤ 60 s ${back <= backMs ? 'met' : 'MISSED'})`,
  );
  print(`  asked to wait ${after.refused - before.refused} times`);
  for (const [what, times] of Object.entries(after.failed)) {
    const more = times - (before.failed[what] ?? 0);
    if (more > 0) print(`  ${more} × ${what}`);
  }
  printCalls({ quiet, 'from the kill until all are back': calls });
}
