/**
 * `npm run bench soak [-- --minutes N --agents N]`: mixed use of several controllers whose lines are bent, silenced and
 * broken all the time. What comes to its end must be whole in both directions, and at the end server and agents must
 * hold what they held after the warm-up. A work that a broken line has cut is counted and begun anew.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  createApiClient,
  FaultProxy,
  freePort,
  makeSshKey,
  makeTempDir,
  ResourceStack,
  type RunningProcess,
  startMqttBroker,
} from '@pult/testkit';
import { createJumpClient } from '../tests/interop/jump-client.ts';
import { addController, type Site, startSite, waitForStatus } from '../tests/interop/site.ts';
import { disturb } from './soak/faults.ts';
import { readFootprint } from './soak/footprint.ts';
import { createWorks, type Work, WrongBytes } from './soak/work.ts';
import { formatTable, print, verdict } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, agents: { type: 'string', default: '6' } },
});
const milliseconds = Number(options.minutes) * 60_000;
const agents = Number(options.agents);
const warmUpMs = Math.min(milliseconds / 4, 5 * 60_000);
/** Of what was there after the warm-up; a heap that has once been larger keeps some of it. */
const growth = { memory: 1.15, handles: 5 };

print(await describeMachine());
const stack = new ResourceStack();
const jumpPort = await freePort();
const lines = await Promise.all(Array.from({ length: agents }, () => freePort()));
const lineUrl = (port: number) => `http://127.0.0.1:${port}`;
const site = stack.use(
  await startSite({
    serverEnv: {
      AGENT_URLS: lines.map(lineUrl).join(','),
      METRICS_INTERVAL_SECONDS: '10',
      SSH_JUMP_PORT: String(jumpPort),
      LOG_LEVEL: 'warn',
    },
  }),
);
const broker = stack.use(await startMqttBroker());
const keys = await makeTempDir('keys');
const key = await makeSshKey(`${keys.path}/account`);
await site.api.call('addSshKey', { body: { name: 'Soak', publicKey: key.publicKey } });

const controllers: { site: Site; proxy: FaultProxy; works: Record<string, Work> }[] = [];
for (const port of lines) {
  const target = { host: '127.0.0.1', port: site.server.port };
  const proxy = stack.use(await FaultProxy.start({ port, target }));
  const controller = stack.use(await addController(site, { serverUrl: lineUrl(port), mqtt: broker.url }));
  const jump = await createJumpClient(controller, { port: jumpPort, email: site.server.adminEmail, key });
  stack.use(jump);
  controllers.push({ site: controller, proxy, works: createWorks(controller, jump, broker) });
}

interface Tally {
  done: number;
  cut: number;
  wrong: string[];
}
const tallies: Record<string, Tally> = {};
let resets = 0;

/** One work again and again; a fault that cut it is part of the game. */
async function repeat(name: string, work: Work, signal: AbortSignal): Promise<void> {
  const tally = tallies[name] ?? { done: 0, cut: 0, wrong: [] };
  tallies[name] = tally;
  while (!signal.aborted) {
    try {
      await work();
      tally.done += 1;
    } catch (error) {
      if (error instanceof WrongBytes) tally.wrong.push(error.message);
      else tally.cut += 1;
    }
    await wait(200);
  }
}

async function useAll(forMs: number): Promise<void> {
  const stop = new AbortController();
  const end = performance.now() + forMs;
  const running = controllers.flatMap(({ proxy, works }) => [
    disturb(proxy, stop.signal).then((count) => {
      resets += count;
    }),
    ...Object.entries(works).map(([name, work]) => repeat(name, work, stop.signal)),
  ]);
  while (performance.now() < end) {
    await wait(Math.min(end - performance.now(), 5 * 60_000));
    // An access token lasts a quarter of an hour; all sites share this client.
    const { adminEmail: username, adminPassword: password, url: baseUrl } = site.server;
    const fresh = await createApiClient({ baseUrl, username, password });
    for (const each of [site, ...controllers.map((controller) => controller.site)]) {
      Object.assign(each.api, fresh);
    }
  }
  stop.abort();
  await Promise.all(running);
}

const processes: Record<string, RunningProcess> = { server: site.server.process };
for (const [index, controller] of controllers.entries()) {
  processes[`agent ${index + 1}`] = controller.site.agent.process;
}
async function readAll() {
  for (const controller of controllers) await waitForStatus(controller.site, 'online');
  // Shells that wait for their terminals to come back and idle connections of all kinds are closed by then.
  await wait(75_000);
  const read = async ([name, { pid }]: [string, RunningProcess]) => [name, await readFootprint(pid)] as const;
  return Object.fromEntries(await Promise.all(Object.entries(processes).map(read)));
}

await useAll(warmUpMs);
const before = await readAll();
await useAll(milliseconds - warmUpMs);
const after = await readAll();

print(`\n${options.minutes} minutes of ${agents} controllers, lines broken ${resets} times`);
const workRows = Object.entries(tallies).map(([name, { done, cut, wrong }]) => [
  name,
  String(done),
  String(cut),
  `${wrong.length} (none ${verdict(wrong.length === 0 && done > 0)})`,
]);
print(formatTable([['', 'whole', 'cut by a fault', 'wrong'], ...workRows]));
for (const { wrong } of Object.values(tallies))
  for (const message of wrong.slice(0, 5)) print(`  ${message}`);

print('\nHeld while idle, after the warm-up and at the end');
const footprintRows = Object.keys(processes).map((name) => {
  const [start, end] = [before[name], after[name]];
  if (!start || !end) throw new Error(`${name} was not read`);
  return [
    name,
    `${start.memory.toFixed(0)} → ${end.memory.toFixed(0)} MiB`,
    verdict(end.memory <= start.memory * growth.memory),
    `${start.handles} → ${end.handles}`,
    verdict(end.handles <= start.handles + growth.handles),
  ];
});
print(formatTable([['', 'resident', '≤ 1.15 ×', 'handles', '≤ 5 more'], ...footprintRows]));
await stack[Symbol.asyncDispose]();
await keys.remove();
