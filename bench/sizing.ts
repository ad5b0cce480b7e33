/**
 * `npm run bench sizing [-- --count N --values N --minutes N --processes N]`: what a fleet takes of its machine. So many agents are linked
 * to the built server with its embedded database, and each tells a measurement of its system a minute and so many values that change every
 * ten seconds, while nobody looks. Memory, processor and disk of the server and of its database, after a start of two minutes.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findDatabase } from '@pult/server/database';
import { connectClient } from './fleet/client.ts';
import { startLinkSite } from './links/site.ts';
import { formatTable } from './tunnel/figures.ts';
import { describeMachine, readResidentMemory, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    values: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '5' },
    processes: { type: 'string', default: '1' },
  },
});
const [count, values, minutes] = [options.count, options.values, options.minutes].map(Number) as [
  number,
  number,
  number,
];

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Those that the server has begun, and those that they have. */
async function listDatabaseProcesses(serverPid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const [, parent] = /^\d+$/.test(name) ? await readStat(Number(name)) : [];
    if (parent) parents.set(Number(name), Number(parent));
  }
  const found = new Set([serverPid]);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  found.delete(serverPid);
  return [...found];
}

/** The state of a process and what follows it (proc(5)); behind the name of its program, which may hold anything. */
async function readStat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** MiB, where what processes share counts once for all of them together. */
async function readProportionalMemory(pids: number[]): Promise<number> {
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  return texts.reduce((sum, text) => sum + Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0), 0) / 1024;
}

/** Milliseconds that the processes have computed, with those that have ended meanwhile, which count at their parents. */
async function readComputed(serverPid: number): Promise<number> {
  const stats = await Promise.all((await listDatabaseProcesses(serverPid)).map(readStat));
  const ticks = stats.flatMap((stat) => stat.slice(11, 15).map(Number));
  return ticks.reduce((sum, each) => sum + each, 0) * 10; // 100 ticks a second on Linux.
}

print(await describeMachine());
await using site = await startLinkSite(count, { values });
const { server } = site;
const { client, close } = await connectClient(await findDatabase(server.dataDir));
const readSizes = async () => {
  const { rows } = await client.query(
    `select pg_database_size(current_database())::double precision as all,
       (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::double precision
        from pg_inherits where inhparent = 'metric_samples'::regclass) as samples,
       (select count(*)::double precision from metric_samples) as count`,
  );
  return rows[0] as { all: number; samples: number; count: number };
};
const devices = site.startDevices(Number(options.processes));
await devices.whenLinked(120_000 + count * 60);
await wait(120_000);

const [sizeBefore, before] = [await readSizes(), await readThreadTimes(server.process.pid)];
const [databaseBefore, begun] = [await readComputed(server.process.pid), performance.now()];
await wait(minutes * 60_000);
const elapsed = performance.now() - begun;
const [size, after] = [await readSizes(), await readThreadTimes(server.process.pid)];
const database = ((await readComputed(server.process.pid)) - databaseBefore) / elapsed;
const own = (after.main + after.others - before.main - before.others) / elapsed;
const samples = size.count - sizeBefore.count;
const bytes = (size.samples - sizeBefore.samples) / Math.max(1, samples);
const percent = (share: number) => `${(share * 100).toFixed(1)} % of a core`;
print(
  `\n${count} controllers, ${values} values each every ten seconds, ${minutes} minutes; ${devices.counts().linked} linked at the end`,
);
print(
  formatTable([
    ['', 'memory', 'processor'],
    ['server', `${(await readResidentMemory(server.process.pid)).toFixed(0)} MiB`, percent(own)],
    [
      'database',
      `${(await readProportionalMemory(await listDatabaseProcesses(server.process.pid))).toFixed(0)} MiB`,
      percent(database),
    ],
  ]),
);
const perDay = (samples / count / elapsed) * 86_400_000;
const gigabytesIn = (days: number) => ((bytes * perDay * count * days) / 2 ** 30).toFixed(2);
print(
  `\nMeasurements stored: ${samples}, ${perDay.toFixed(0)} a day for each controller, ${bytes.toFixed(0)} bytes each; ` +
    `in 30 days ${gigabytesIn(30)} GiB, in a year ${gigabytesIn(365)} GiB; all else grew by ${((size.all - sizeBefore.all - size.samples + sizeBefore.samples) / 2 ** 20).toFixed(1)} MiB`,
);
await close();
// The devices' processes would go on.
await site[Symbol.asyncDispose]();
process.exit(0);
