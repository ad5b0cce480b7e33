/**
 * `npm run bench fleet [-- --requests N --seconds N]`: lists, counts, searches, tree and map of 100,000 controllers in 5,000
 * groups, over HTTP, on the embedded database and on PostgreSQL of DATABASE_URL when it is given (in a database of its
 * own there, dropped in the end), for its owner and for somebody with 20 grants in the tree. A missed target is marked, and nothing fails.
 */
import { parseArgs } from 'node:util';
import { type BenchCall, createCalls } from './fleet/calls.ts';
import { addPerson } from './fleet/part.ts';
import { createRequester, measureRate } from './fleet/requests.ts';
import { fleetSize, seedFleet } from './fleet/seed.ts';
import { captureListStatements, measureBareRate } from './fleet/statements.ts';
import { type BenchSite, startBenchSite } from './site.ts';
import { formatTable, percentile, print, verdict } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '8' },
  },
});
const requests = Number(options.requests);
const load = { parallel: 8, seconds: Number(options.seconds) };

const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

async function benchCalls(site: BenchSite, isEmbedded: boolean, access: string): Promise<void> {
  const { time, close } = createRequester(site.server.url, access);
  const calls = await createCalls(site.client, site.organizationId);
  const measure = async ({ what, path, target }: BenchCall) => {
    const times: number[] = [];
    // The first ones compile, and read from the disk.
    for (let number = -5; number < requests; number++) {
      const taken = await time(path);
      if (number >= 0) times.push(taken);
    }
    const limit = target?.[isEmbedded ? 0 : 1];
    const p95 = percentile(times, 0.95);
    const judged = limit === undefined ? '' : `≤ ${limit} ms ${verdict(p95 <= limit)}`;
    return [what, milliseconds(percentile(times, 0.5)), milliseconds(p95), judged];
  };
  const rows: string[][] = [];
  for (const call of calls) rows.push(await measure(call));
  print(`\nOne request at a time, ${requests} of each`);
  print(formatTable([['', 'p50', 'p95', 'target (p95)'], ...rows]));
  close();
}

async function benchRate(site: BenchSite, access: string): Promise<void> {
  const { settings, organizationId, client, server } = site;
  const { rows } = await client.query('select user_id from memberships limit 1');
  const statements = await captureListStatements(settings, String(rows[0]?.user_id), organizationId);
  const bare = await measureBareRate(statements, settings, load).catch(() => undefined);
  if (!bare) return print('\nNo pgbench: how many lists a second was not measured.');
  const { time, close } = createRequester(server.url, access);
  const path = `/api/v1/controllers/?organization_id=${organizationId}`;
  const rate = await measureRate(() => time(path), load);
  close();
  const ratio = rate / bare.rate;
  print(`\nFirst page of the list, ${load.parallel} at once, ${load.seconds} s each`);
  print(
    formatTable([
      ['', 'a second', 'ratio', 'target'],
      [`its SQL by ${bare.name}`, bare.rate.toFixed(0), '', ''],
      ['HTTP requests', rate.toFixed(0), `${ratio.toFixed(2)} ×`, `≥ 0.5 × ${verdict(ratio >= 0.5)}`],
    ]),
  );
}

/** Every controller into one group and out of it, by a filter: one call, and no list meanwhile waits for it. */
async function benchBulk(site: BenchSite, access: string): Promise<void> {
  const { server, organizationId: organization_id, client } = site;
  const { rows } = await client.query("select id from groups where name = 'Регион 7'");
  const post = async (path: string): Promise<number> => {
    const started = performance.now();
    const answer = await fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      body: JSON.stringify({ filter: { organization_id } }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (performance.now() - started) / 1000;
  };
  const attached = await post(`/api/v1/groups/${rows[0]?.id}/attach-controllers/`);
  const detached = await post('/api/v1/groups-detach-from-controllers/');
  print(`\nAll controllers into one group: ${attached.toFixed(1)} s, out of it: ${detached.toFixed(1)} s`);
}

async function bench(databaseUrl?: string): Promise<void> {
  await using site = await startBenchSite({ databaseUrl }, ({ client, organizationId }) =>
    seedFleet(client, organizationId),
  );
  const { access } = await site.logIn();
  const { rows } = await site.client.query('show server_version');
  print(`\n${databaseUrl ? 'DATABASE_URL' : 'Embedded database'}: PostgreSQL ${rows[0]?.server_version}`);
  await benchCalls(site, databaseUrl === undefined, access);
  const part = await addPerson(site);
  print(`\nThe same for somebody with ${part.grants} grants, who sees ${part.controllers} controllers`);
  await benchCalls(site, databaseUrl === undefined, part.access);
  await benchRate(site, access);
  await benchBulk(site, access);
}

print(await describeMachine());
print(`${fleetSize.controllers} controllers in ${fleetSize.groups} groups of one organization`);
await bench();
const { DATABASE_URL: databaseUrl } = process.env;
if (databaseUrl) await bench(databaseUrl);
else print('\nNo DATABASE_URL: measured on the embedded database only.');
