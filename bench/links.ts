/**
 * `npm run bench links [-- --count N --seconds N --processes N --kind agent|wiren-board|ssh --tls --polls N --storm]`: what idle links cost the server.
 * That many devices link to the built server from other processes, over eight loopback addresses, and then nothing happens for that time but
 * their pings. Each has its telemetry stream open, as with the real agent, and tells nothing. Of the kind wiren-board each is a session of
 * frp with its spare work connection; of the kind ssh a login with one forward and OpenSSH's pings. With `--tls` agents and tunnels come over
 * TLS that the server ends itself. With `--polls` (wiren-board, and TLS) so many times a second an agent asks for news besides, each time by
 * a whole handshake with a certificate: what that costs is measured for as long again. With `--storm` the server is killed and started, then
 * stopped and started, instead: the devices come back by the agent's own code, while a console asks one thing after the other.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeDeviceCertificates, makeTempDir } from '@pult/testkit';
import { startPolls } from './links/polls.ts';
import { benchKinds, startLinkSite } from './links/site.ts';
import { measureStorm } from './links/storm.ts';
import { percentile, print, verdict } from './tunnel/figures.ts';
import { describeMachine, readResidentMemory, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    processes: { type: 'string', default: '2' },
    kind: { type: 'string', default: 'agent' },
    tls: { type: 'boolean', default: false },
    polls: { type: 'string', default: '0' },
    storm: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const seconds = Number(options.seconds);
const pollsPerSecond = Number(options.polls);
/** At 10,000 links, of agents; of the kind wiren-board each may take so much. */
const targets = { memory: options.tls ? 750 : 400, processor: 0.05, eachWirenBoardKib: 80 };

const kind = benchKinds.find((known) => known === options.kind);
if (!kind) throw new Error(`--kind: ${options.kind} is none of ${benchKinds.join(', ')}`);
if (pollsPerSecond > 0 && !(kind === 'wiren-board' && options.tls))
  throw new Error('--polls are those of --kind wiren-board --tls');
print(await describeMachine());
await using folder = await makeTempDir('bench-links');
const certificates = pollsPerSecond > 0 ? await makeDeviceCertificates(folder.path) : undefined;
await using site = await startLinkSite(count, {
  kind,
  isSecure: options.tls,
  deviceCa: certificates?.rootPath,
});
const { pid } = site.server.process;
const before = await readResidentMemory(pid);
const devices = site.startDevices(Number(options.processes));
const took = await devices.whenLinked(120_000 + count * 60);
print(
  `\n${count} devices linked in ${(took / 1000).toFixed(1)} s, ${((count / took) * 1000).toFixed(0)} a second; ` +
    `asked to come later ${devices.counts().refused} times`,
);

if (options.storm) {
  await measureStorm(site, devices, count);
  await site[Symbol.asyncDispose]();
  process.exit(0);
}

// What linking has left behind is collected, which V8 begins up to half a minute later, and what was queued is written.
await wait(60_000);

/** The share of a core that the server takes meanwhile, and its main thread of it. */
async function measureProcessor(): Promise<{ all: number; main: number }> {
  const start = await readThreadTimes(pid);
  const begun = performance.now();
  await wait(seconds * 1000);
  const end = await readThreadTimes(pid);
  const elapsed = performance.now() - begun;
  return {
    all: (end.main + end.others - start.main - start.others) / elapsed,
    main: (end.main - start.main) / elapsed,
  };
}

const { all: processor, main } = await measureProcessor();
const memory = await readResidentMemory(pid);
const { linked, failed } = devices.counts();
const isFull = count === 10_000 && kind === 'agent';
const eachKib = ((memory - before) * 1024) / count;
print(
  [
    '',
    `Idle for ${seconds} s, ${linked} linked at the end`,
    `  resident  ${memory.toFixed(0)} MiB${isFull ? ` (≤ ${targets.memory} MiB ${verdict(memory <= targets.memory)})` : ''}, ` +
      `${before.toFixed(0)} MiB without links: ${eachKib.toFixed(1)} KiB a link` +
      (kind === 'wiren-board'
        ? ` (≤ ${targets.eachWirenBoardKib} KiB ${verdict(eachKib <= targets.eachWirenBoardKib)})`
        : ''),
    `  processor ${(processor * 100).toFixed(1)} % of a core${isFull ? ` (≤ ${targets.processor * 100} % ${verdict(processor <= targets.processor)})` : ''}, ` +
      `of it ${(main * 100).toFixed(1)} % on the main thread`,
  ].join('\n'),
);
for (const [what, times] of Object.entries(failed)) print(`  ${times} × ${what}`);
if (linked !== count) print(`MISSED: ${count - linked} devices are not linked`);
if (certificates) {
  const stop = await startPolls(site.server.port, certificates, pollsPerSecond);
  const beside = await measureProcessor();
  const { times, failures } = await stop();
  const rank = (share: number) => percentile(times, share).toFixed(0);
  print(
    [
      '',
      `${(times.length / seconds).toFixed(1)} polls a second beside them, a handshake each`,
      `  processor ${(beside.all * 100).toFixed(1)} % of a core, of it ${(beside.main * 100).toFixed(1)} % on the main thread`,
      `  each took ${rank(0.5)} ms in the middle, ${rank(0.99)} ms at 99 %; ${failures.length} failed${failures[0] ? `: ${failures[0]}` : ''}`,
      `  resident  ${(await readResidentMemory(pid)).toFixed(0)} MiB, ${devices.counts().linked} linked at the end`,
    ].join('\n'),
  );
}
// The devices' processes would go on.
await site[Symbol.asyncDispose]();
process.exit(0);
