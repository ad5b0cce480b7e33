/**
 * `npm run bench live [-- --changes N --seconds N --readers N]`: what open consoles and other calls notice while that many
 * controllers of 100,000 change their status in that time (10,000 in a minute), and what it costs the server. One console
 * more than named reads nothing at all. On the embedded database, or on PostgreSQL of DATABASE_URL (an empty database).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApiClient, freePort, makeTempDir } from '@pult/testkit';
import { openReader, type Reader } from './live/reader.ts';
import type { LiveSettings, StormOrder, StormReport } from './live/server.ts';
import { send } from './logins/send.ts';
import { formatTable, percentile } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    changes: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    readers: { type: 'string', default: '20' },
  },
});
const order: StormOrder = { changes: Number(options.changes), seconds: Number(options.seconds) };
const print = (text: string) => void process.stdout.write(`${text}\n`);
const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

print(await describeMachine());
await using folder = await makeTempDir('live');
const settings: LiveSettings = {
  dataDir: folder.path,
  port: await freePort(),
  email: 'admin@pult.example',
  password: 'a bench of living things',
  databaseUrl: process.env.DATABASE_URL,
};
const child = fork(fileURLToPath(new URL('./live/server.ts', import.meta.url)), [JSON.stringify(settings)], {
  execArgv: process.execArgv,
});
// Its first message says that it is ready.
const [{ organizationId, version }] = (await once(child, 'message')) as [
  { organizationId: string; version: string },
];
print(`${settings.databaseUrl ? 'DATABASE_URL' : 'Embedded database'}: PostgreSQL ${version}`);

const baseUrl = `http://localhost:${settings.port}`;
const { access } = await createApiClient({
  baseUrl,
  username: settings.email,
  password: settings.password,
});
const headers = { authorization: `Bearer ${access}` };
const eventsUrl = `${baseUrl}/api/v1/events/?organization_id=${organizationId}`;

/** Milliseconds of GET users/me, one after the other, until it is told to end. */
function measureCalls() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      const started = performance.now();
      const status = await send(settings.port, agent, { method: 'GET', path: '/api/v1/users/me/', headers });
      if (status !== 200) throw new Error(`users/me answered ${status}`);
      times.push(performance.now() - started);
      await wait(5);
    }
    agent.destroy();
    return times;
  })();
  return () => {
    isOver = true;
    return running;
  };
}

async function measureStorm(storm: StormOrder) {
  const stop = measureCalls();
  child.send(storm);
  // Its answer to an order is the report.
  const [report] = (await once(child, 'message')) as [StormReport];
  return { report, calls: await stop() };
}

const quietOrder = { changes: 1, seconds: 10 };
await measureStorm({ changes: 500, seconds: 3 }); // compiles the code
const quiet = await measureStorm(quietOrder);
const readers = await Promise.all(
  Array.from({ length: Number(options.readers) }, () => openReader(eventsUrl, access)),
);
const stalled = await openReader(eventsUrl, access, { isStalled: true });
const busy = await measureStorm(order);
await wait(1500); // the last message
const ended = readers.filter(({ endedAfter }) => endedAfter !== undefined);
const stalledFor = stalled.endedAfter;
child.send('end');
await once(child, 'exit');

print(
  `\n${order.changes} changes of status in ${order.seconds} s, ${readers.length} consoles and one that stands still`,
);
const row = (name: string, { report, calls }: typeof quiet) => [
  name,
  `${milliseconds(percentile(calls, 0.5))} / ${milliseconds(percentile(calls, 0.99))}`,
  `${milliseconds(report.delayP50)} / ${milliseconds(report.delayP99)} / ${milliseconds(report.delayMax)}`,
  `${(report.processor * 100).toFixed(0)} %`,
  `${report.resident.toFixed(0)} MiB`,
];
print(
  formatTable([
    ['', 'users/me p50 / p99', 'event loop late p50 / p99 / most', 'of a core', 'resident'],
    row('quiet', quiet),
    row('storm', busy),
  ]),
);
const [first] = readers;
if (!first) throw new Error('no reader');
const most = (read: (reader: Reader) => number) => Math.max(...readers.map(read));
const lateness = readers.flatMap((reader) => reader.lateness);
print(
  `\nA console was told ${first.changes} changes in ${first.messages} messages (at most ${most(({ messages }) => messages)}), ` +
    `${(most(({ bytes }) => bytes) / 1024).toFixed(0)} KiB; gaps: ${most(({ gaps }) => gaps)}`,
);
if (lateness.length > 0) {
  print(
    `A change arrived after ${percentile(lateness, 0.5)} ms (p50), ${percentile(lateness, 0.99)} ms (p99), ${percentile(lateness, 1)} ms at most`,
  );
}
if (ended.length > 0) {
  print(`MISSED: ${ended.length} consoles were cut, the first after ${ended[0]?.endedAfter?.toFixed(0)} ms`);
}
print(
  `The console that stands still was ${stalledFor ? `cut after ${(stalledFor / 1000).toFixed(0)} s` : 'kept'}`,
);
for (const reader of [...readers, stalled]) reader.close();
