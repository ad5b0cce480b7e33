/**
 * `npm run bench links [-- --count N --seconds N --processes N --kind agent|wiren-board|ssh --tls]`: what idle links cost the server. That
 * many devices link to the built server from other processes, over eight loopback addresses, and then nothing happens for that time but
 * their pings. Each has its telemetry stream open, as with the real agent, and tells nothing. Of the kind wiren-board each is
 * a session of frp with its spare work connection, without TLS; of the kind ssh a login with one forward and OpenSSH's pings. With `--tls` agents come over TLS that the server ends itself.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchKinds, startLinkSite } from './links/site.ts';
import { describeMachine, readResidentMemory, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    processes: { type: 'string', default: '2' },
    kind: { type: 'string', default: 'agent' },
    tls: { type: 'boolean', default: false },
  },
});
const count = Number(options.count);
const seconds = Number(options.seconds);
/** At 10,000 links. */
const targets = { memory: options.tls ? 750 : 400, processor: 0.05 };

const print = (text: string) => void process.stdout.write(`${text}\n`);
const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');

const kind = benchKinds.find((known) => known === options.kind);
if (!kind) throw new Error(`--kind: ${options.kind} is none of ${benchKinds.join(', ')}`);
print(await describeMachine());
await using site = await startLinkSite(count, {
  kind,
  isSecure: options.tls,
});
const { pid } = site.server.process;
const before = await readResidentMemory(pid);
const devices = site.startDevices(Number(options.processes));
const took = await devices.whenLinked(120_000 + count * 60);
print(
  `\n${count} devices linked in ${(took / 1000).toFixed(1)} s, ${((count / took) * 1000).toFixed(0)} a second; ` +
    `asked to come later ${devices.counts().refused} times`,
);

// What linking has left behind is collected, which V8 begins up to half a minute later, and what was queued is written.
await wait(60_000);
const start = await readThreadTimes(pid);
const begun = performance.now();
await wait(seconds * 1000);
const end = await readThreadTimes(pid);
const elapsed = performance.now() - begun;
const memory = await readResidentMemory(pid);
const processor = (end.main + end.others - start.main - start.others) / elapsed;
const { linked, failed } = devices.counts();
const isFull = count === 10_000;
print(
  [
    '',
    `Idle for ${seconds} s, ${linked} linked at the end`,
    `  resident  ${memory.toFixed(0)} MiB${isFull ? ` (≤ ${targets.memory} MiB ${verdict(memory <= targets.memory)})` : ''}, ` +
      `${before.toFixed(0)} MiB without links: ${(((memory - before) * 1024) / count).toFixed(1)} KiB a link`,
    `  processor ${(processor * 100).toFixed(1)} % of a core${isFull ? ` (≤ ${targets.processor * 100} % ${verdict(processor <= targets.processor)})` : ''}, ` +
      `of it ${(((end.main - start.main) / elapsed) * 100).toFixed(1)} % on the main thread`,
  ].join('\n'),
);
for (const [what, times] of Object.entries(failed)) print(`  ${times} × ${what}`);
if (linked !== count) print(`MISSED: ${count - linked} devices are not linked`);
// The devices' processes would go on.
await site[Symbol.asyncDispose]();
process.exit(0);
