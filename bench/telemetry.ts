/**
 * `npm run bench telemetry [-- --store NAME --devices N --seconds N --days N --rounds N]`: points a second from linked devices into
 * PostgreSQL and VictoriaMetrics (when it is installed), time from a publication on the broker to the API, queries over
 * the kept days, and the agent's memory. A missed target is marked, and nothing fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { TelemetryEntry } from '@pult/link';
import {
  type ApiClient,
  findVictoriaMetrics,
  poll,
  startAgentProcess,
  startMqttBroker,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '@pult/testkit';
import { seedDevices } from './links/site.ts';
import { type BenchSite, startBenchSite } from './site.ts';
import { startLoadDevice } from './telemetry/device.ts';
import { seedSamples, seedVictoria } from './telemetry/seed.ts';
import { formatTable, percentile, print, verdict } from './tunnel/figures.ts';
import { describeMachine, readResidentMemory } from './tunnel/machine.ts';

const { values } = parseArgs({
  options: {
    devices: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    days: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '40' },
    /** One store only. */
    store: { type: 'string' },
  },
});
const [devices, seconds, days, rounds] = [values.devices, values.seconds, values.days, values.rounds].map(
  Number,
) as [number, number, number, number];

const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

const sampleEntry = (offset: number): TelemetryEntry => ({
  offset,
  age: offset % 1000,
  metrics: {
    load15: 0.5,
    cpu_usage: offset % 100,
    mem_available: 512_000_000,
    disk_free_root: 1_000_000_000,
    disk_free_data: 2_000_000_000,
    temperature: 45.5,
    uptime: offset,
  },
});
const valueEntry = (offset: number): TelemetryEntry => ({
  offset,
  age: 10,
  device: 'wb-adc',
  control: `input ${offset % 500}`,
  value: String(offset),
});

type TelemetrySite = BenchSite & { api: ApiClient };

/** Entries that were stored in a second, over the given time. */
async function measureRate(site: TelemetrySite): Promise<number> {
  const read = async () => {
    const { rows } = await site.client.query(
      'select sum(last_offset)::double precision as sum from telemetry_offsets',
    );
    return Number(rows[0]?.sum ?? 0);
  };
  await delay(5_000);
  const [before, started] = [await read(), performance.now()];
  await delay(seconds * 1000);
  return (((await read()) - before) / (performance.now() - started)) * 1000;
}

async function benchRate(
  site: TelemetrySite,
  first: number,
  entryOf: (offset: number) => TelemetryEntry,
): Promise<number> {
  const stops: (() => void)[] = [];
  for (let number = first; number < first + devices; number++) {
    stops.push(await startLoadDevice(number, { serverUrl: site.server.url, entryOf }));
  }
  const rate = await measureRate(site);
  for (const stop of stops) stop();
  await delay(1_000);
  return rate;
}

async function benchQueries(site: TelemetrySite): Promise<string[][]> {
  const { api } = site;
  const page = await api.call('listControllers', { query: { page_size: 1000 } });
  const rows: string[][] = [];
  for (const [what, hours, limit] of [
    ['24 hours', 24, 100],
    ['7 days', 7 * 24, undefined],
    ['30 days', 30 * 24, undefined],
  ] as const) {
    const times: number[] = [];
    let points = 0;
    for (let round = 0; round < rounds; round++) {
      const { serialNumber } = page.results[(round * 7) % page.results.length] ?? { serialNumber: '' };
      const stop = new Date();
      const start = new Date(stop.getTime() - hours * 3600_000);
      const began = performance.now();
      const body = { name: 'temperature', start: start.toISOString(), stop: stop.toISOString() } as const;
      points = (await api.call('querySystemMetrics', { params: { serialNumber }, body })).length;
      times.push(performance.now() - began);
    }
    const p95 = percentile(times, 0.95);
    const judged = limit === undefined ? '' : `≤ ${limit} ms ${verdict(p95 <= limit)}`;
    rows.push([what, String(points), milliseconds(percentile(times, 0.5)), milliseconds(p95), judged]);
  }
  return rows;
}

/** From `mosquitto_pub` to the API, the start of that program included. */
async function benchLatency(site: TelemetrySite): Promise<void> {
  const { server, api, organizationId: organization } = site;
  const lonely = await startAgentProcess({ serverUrl: server.url, serialNumber: 'WITHOUT-BROKER' });
  await lonely.waitForLink();
  await using broker = await startMqttBroker();
  const serialNumber = 'WITH-BROKER';
  await using agent = await startAgentProcess({ serverUrl: server.url, serialNumber, mqtt: broker.url });
  const { token } = await agent.waitForActivation();
  await api.call('activateController', { body: { token, organization } });
  await agent.process.waitForLine(/mqtt: connected/);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const value = `round ${round}`;
    // Quiet before, so that it is told at once.
    await delay(1_200);
    const began = performance.now();
    await broker.publish('/devices/bench/controls/c', value);
    await poll(
      async () => {
        const data = await api.call('getLastMqttData', { params: { serialNumber } });
        return data.devices.some(({ controls }) => controls.some((control) => control.value === value));
      },
      { what: 'the value is there', intervalMs: 5 },
    );
    times.push(performance.now() - began);
  }
  print(
    `\nFrom mosquitto_pub to the API: ${milliseconds(percentile(times, 0.5))} (p50), ${milliseconds(percentile(times, 0.95))} (p95)`,
  );
  const resident = async (pid: number) => `${(await readResidentMemory(pid)).toFixed(0)} MiB`;
  const quiet = await resident(agent.process.pid);
  const controls = 200;
  const load = Array.from({ length: 2 }, (_, part) =>
    Array.from({ length: controls / 2 }, (__, index) => `/devices/many/controls/${part * 100 + index}`),
  );
  for (const topics of load) await Promise.all(topics.map((topic) => broker.publish(topic, 'x'.repeat(20))));
  print(
    `Agent: ${await resident(lonely.process.pid)} without a broker, ${quiet} with one, ${await resident(agent.process.pid)} with ${controls} controls`,
  );
  await lonely.stop();
}

async function benchStore(name: string, victoria?: VictoriaMetrics): Promise<void> {
  const env: Record<string, string> = victoria ? { VICTORIAMETRICS_URL: victoria.url } : {};
  await using site = await startBenchSite({ env }, async ({ settings, organizationId, logIn }) => {
    await seedDevices(settings, organizationId, 2 * devices);
    return { api: await logIn() };
  });
  print(`\n${name}: ${devices} devices, ${seconds} s each`);
  const samples = (await benchRate(site, 0, sampleEntry)) * 7;
  const controls = await benchRate(site, devices, valueEntry);
  print(
    formatTable([
      ['', 'a second', 'target'],
      ['measured points stored', samples.toFixed(0), `≥ 5000 ${verdict(samples >= 5000)}`],
      ['MQTT values stored', controls.toFixed(0), ''],
    ]),
  );
  if (victoria) {
    const rows = await seedVictoria(victoria.url, site.client, days);
    await victoria.flush();
    print(`\nQueries over ${rows} samples of ${days} days`);
  } else {
    await benchLatency(site);
    await site.client.query('truncate metric_samples');
    const rows = await seedSamples(site.client, days);
    print(`\nQueries over ${rows} samples of ${days} days`);
  }
  print(formatTable([['', 'points', 'p50', 'p95', 'target (p95)'], ...(await benchQueries(site))]));
}

print(await describeMachine());
if (values.store !== 'VictoriaMetrics') await benchStore('PostgreSQL');
if (values.store !== 'PostgreSQL' && findVictoriaMetrics()) {
  await using victoria = await startVictoriaMetrics();
  await benchStore('VictoriaMetrics', victoria);
}
