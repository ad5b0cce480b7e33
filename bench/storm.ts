/**
 * `npm run bench storm [-- --count N --processes N]`: a fleet comes back after its server was gone. The server is killed
 * and started again, then stopped and started again; meanwhile a console asks one thing after the other. The devices wait
 * and come back by the agent's own code.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { poll } from '@pult/testkit';
import { backOffLimits } from '../apps/agent/src/link/back-off.ts';
import { type ApiCalls, startApiCalls } from './links/api-calls.ts';
import { startLinkSite } from './links/site.ts';
import { formatTable, percentile, print, verdict } from './tunnel/figures.ts';
import { describeMachine, readResidentMemory, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '2' },
  },
});
const count = Number(options.count);
const backMs = 60_000;
const longestCallMs = 1000;

const inSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const inMilliseconds = (value: number) => `${value.toFixed(1)} ms`;

print(await describeMachine());
await using site = await startLinkSite(count);
const { server } = site;
const devices = site.startDevices(Number(options.processes));
const first = await devices.whenLinked(120_000 + count * 60);
print(`\n${count} devices linked for the first time in ${inSeconds(first)}`);
// A link that has lived for a minute begins its next waits at one second again.
await wait(backOffLimits.healthyMs);

/** Measures a console's calls while `work` goes on. Its login is over before. */
async function measureBeside<T>(
  work: (begin: () => void) => Promise<T>,
): Promise<{ calls: ApiCalls; result: T }> {
  const { access } = await site.logIn();
  let stop: (() => Promise<ApiCalls>) | undefined;
  const result = await work(() => {
    stop = startApiCalls(server.port, access, site.organizationId);
  });
  if (!stop) throw new Error('no call was made');
  return { calls: await stop(), result };
}

async function countOnline(): Promise<number> {
  const { access } = await site.logIn();
  const response = await fetch(
    `${server.url}/api/v1/controllers/?organization_id=${site.organizationId}&status=online&page_size=1`,
    { headers: { authorization: `Bearer ${access}` } },
  );
  return ((await response.json()) as { count: number }).count;
}

/** What went wrong in between, by what it was. */
function countSince(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  return Object.entries(after)
    .map(([what, times]) => ({ what, times: times - (before[what] ?? 0) }))
    .filter(({ times }) => times > 0)
    .sort((one, other) => other.times - one.times);
}

/** The fleet's return, measured from the moment at which the server is ready again. */
async function measureReturn(end: () => Promise<unknown>) {
  const before = devices.counts();
  return measureBeside(async (begin) => {
    await end();
    await poll(() => devices.counts().linked === 0, { what: 'nobody is linked' });
    const started = performance.now();
    await server.start();
    begin();
    const startTook = performance.now() - started;
    const backTook = await devices.whenLinked(600_000);
    const { main, others } = await readThreadTimes(server.process.pid);
    const after = devices.counts();
    return {
      startTook,
      backTook,
      refused: after.refused - before.refused,
      failed: countSince(before.failed, after.failed),
      main,
      others,
      memory: await readResidentMemory(server.process.pid),
    };
  });
}

const quiet = await measureBeside(async (begin) => {
  begin();
  await wait(10_000);
});
const killed = await measureReturn(() => server.kill());
const onlineAfterKill = await countOnline();
await wait(backOffLimits.healthyMs);
const stopped = await measureReturn(() => server.halt());

const callRow = (name: string, { times, failures }: ApiCalls) => {
  const most = percentile(times, 1);
  return [
    name,
    String(times.length),
    ...[0.5, 0.99].map((share) => inMilliseconds(percentile(times, share))),
    `${inMilliseconds(most)}${name === 'quiet' ? '' : ` (≤ 1 s ${verdict(most <= longestCallMs)})`}`,
    `${failures.length}${name === 'quiet' ? '' : ` (none ${verdict(failures.length === 0)})`}`,
  ];
};
print("\nA console's calls, from the moment at which the server is ready until all are back");
print(
  formatTable([
    ['', 'calls', 'p50', 'p99', 'most', 'failed'],
    callRow('quiet', quiet.calls),
    callRow('after a kill', killed.calls),
    callRow('after a stop', stopped.calls),
  ]),
);
for (const { calls } of [quiet, killed, stopped])
  for (const failure of new Set(calls.failures)) print(`  ${failure}`);

print(`\nThe return of ${count} devices`);
const returnRow = (name: string, { result }: typeof killed) => [
  name,
  inSeconds(result.startTook),
  `${inSeconds(result.backTook)} (≤ 60 s ${verdict(result.backTook <= backMs)})`,
  String(result.refused),
  String(result.failed.reduce((sum, { times }) => sum + times, 0)),
  inSeconds(result.main),
  inSeconds(result.others),
  `${result.memory.toFixed(0)} MiB`,
];
print(
  formatTable([
    ['', 'server ready', 'all back', 'asked to wait', 'failed tries', 'main thread', 'others', 'resident'],
    returnRow('after a kill', killed),
    returnRow('after a stop', stopped),
  ]),
);
for (const { result } of [killed, stopped]) {
  for (const { what, times } of result.failed) print(`  ${times} × ${what}`);
}
print(`\nShown online right after all were back: ${onlineAfterKill} of ${count}`);
await site[Symbol.asyncDispose]();
process.exit(0);
