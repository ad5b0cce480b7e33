import type { LastMqttData, MqttControl } from '@pult/contract';
import { type MqttBroker, poll, startMqttBroker } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addController, type Site, startSite, waitForStatus } from './site.ts';

// The built server and agent, a real Mosquitto, and its own command-line client as the device's drivers.

let site: Site;
let broker: MqttBroker;
let controller: Site;

/**
 * What is published before an agent has subscribed it never hears, unless it is retained, and it says that it is connected
 * before that: whatever follows such a line is retained.
 */
const retained = { retain: true };

beforeAll(async () => {
  site = await startSite({ serverEnv: { METRICS_INTERVAL_SECONDS: '10' } });
  broker = await startMqttBroker();
  controller = await addController(site, { mqtt: broker.url });
}, 120_000);
afterAll(async () => {
  await controller?.[Symbol.asyncDispose]();
  await broker?.stop();
  await site?.[Symbol.asyncDispose]();
});

function readData({ api, serialNumber }: Site): Promise<LastMqttData> {
  return api.call('getLastMqttData', { params: { serialNumber } });
}

const findControl = ({ devices }: LastMqttData, device: string, control: string) =>
  devices.find(({ id }) => id === device)?.controls.find(({ id }) => id === control);

function waitForValue(device: string, control: string, value?: string): Promise<MqttControl> {
  return poll(
    async () => {
      const found = findControl(await readData(controller), device, control);
      return found && (value === undefined || found.value === value) && found;
    },
    { what: `${device}/${control} is ${value ?? 'there'}` },
  );
}

async function readSamples(): Promise<{ timestamp: string; value: number }[]> {
  const now = Date.now();
  return controller.api.call('querySystemMetrics', {
    params: { serialNumber: controller.serialNumber },
    body: {
      name: 'uptime',
      start: new Date(now - 300_000).toISOString(),
      stop: new Date(now + 60_000).toISOString(),
    },
  });
}

// spec: 7.20
test('a value published on the device is the API’s, with its description and its title', async () => {
  await broker.publish('/devices/boiler/meta/name', 'Котёл', retained);
  const meta = { type: 'temperature', units: '°C', order: 1, title: { en: 'Supply', ru: 'Подача' } };
  await broker.publish('/devices/boiler/controls/supply/meta', JSON.stringify(meta), retained);
  const before = Date.now();
  await broker.publish('/devices/boiler/controls/supply', '61.5', retained);
  const { updatedAt, ...control } = await waitForValue('boiler', 'supply', '61.5');
  const { title } = (await readData(controller)).devices.find(({ id }) => id === 'boiler') ?? {};
  expect(title).toBe('Котёл');
  expect(control).toEqual({
    id: 'supply',
    title: 'Supply',
    type: 'temperature',
    units: '°C',
    order: 1,
    value: '61.5',
  });
  expect(Date.parse(updatedAt ?? '') - before).toBeGreaterThan(-1000);
  expect(Date.parse(updatedAt ?? '')).toBeLessThanOrEqual(Date.now());
});

test('topics and payloads that mean harm arrive as plain text, or not at all', async () => {
  const nasty = '<script>alert(1)</script>';
  await broker.publish(`/devices/${nasty.replaceAll('/', '')}/controls/c`, nasty);
  await broker.publish('/devices/nasty/controls/binary', Buffer.from([0, 255, 7, 0x41]));
  await broker.publish('/devices/nasty/controls/large', Buffer.alloc(1 << 20, 'x'));
  await broker.publish('/devices/nasty/controls/number', ' 007 ');
  await broker.publish(`/devices/nasty/controls/${'long'.repeat(100)}`, '1');
  await broker.publish('/devices/nasty/controls/number/meta', '{"order":1e999,"title":{"en":5}}');
  await broker.publish('/devices/nasty/controls/last', 'x');
  await waitForValue('nasty', 'last');
  const data = await readData(controller);
  expect(findControl(data, '<script>alert(1)<script>', 'c')?.value).toBe(nasty);
  expect(findControl(data, 'nasty', 'binary')?.value).toBe('\ufffd\ufffd\ufffdA');
  expect(findControl(data, 'nasty', 'large')?.value).toHaveLength(1000);
  expect(findControl(data, 'nasty', 'number')).toMatchObject({ value: ' 007 ', title: 'number' });
  expect(data.devices.find(({ id }) => id === 'nasty')?.controls).toHaveLength(4);
});

// A server may take a minute to start beside a busy machine (startServerProcess).
test('a killed server: whatever it acknowledged is there, nothing twice, and what was published meanwhile with its own time', async () => {
  await poll(async () => (await readSamples()).length >= 1, { what: 'something was measured' });
  await broker.publish('/devices/kill/controls/counter', 'before');
  await waitForValue('kill', 'counter', 'before');
  const kept = await readSamples();
  const since = controller.agent.process.nextLine;
  await site.server.kill();
  await broker.publish('/devices/kill/controls/counter', 'meanwhile');
  const published = Date.now();
  await broker.publish('/devices/kill/controls/counter', 'after');
  await site.server.start();
  await controller.agent.waitForLink(since);
  const { updatedAt } = await waitForValue('kill', 'counter', 'after');
  // The server was not there to see it: the time is the agent's telling of how long ago it was.
  expect(Math.abs(Date.parse(updatedAt ?? '') - published)).toBeLessThan(2_000);
  expect(findControl(await readData(controller), 'boiler', 'supply')?.value).toBe('61.5');
  const samples = await readSamples();
  for (const sample of kept) expect(samples).toContainEqual(sample);
  // The uptime of a machine never repeats: one told twice would show at two times.
  expect(new Set(samples.map(({ value }) => value)).size).toBe(samples.length);
}, 90_000);

test('a broker that restarts, and one that is not there, are waited for', async () => {
  await broker.halt();
  await controller.agent.process.waitForLine(/mqtt: connection lost/);
  const since = controller.agent.process.nextLine;
  await broker.start();
  await controller.agent.process.waitForLine(/mqtt: connected/, { since });
  await broker.publish('/devices/boiler/controls/supply', '62', retained);
  await waitForValue('boiler', 'supply', '62');
  await waitForStatus(controller, 'online');
});

test('an agent that starts anew is heard, and what it no longer knows stays', async () => {
  await controller.agent.kill();
  controller.agent.start();
  await controller.agent.process.waitForLine(/mqtt: connected/);
  await waitForStatus(controller, 'online');
  await broker.publish('/devices/restart/controls/c', 'after', retained);
  await waitForValue('restart', 'c', 'after');
  expect(findControl(await readData(controller), 'kill', 'counter')?.value).toBe('after');
});

test('a burst of 5,000 messages leaves the last value of each', async () => {
  const controls = Array.from({ length: 40 }, (_, number) => `c${number}`);
  await Promise.all(
    controls.map((control) =>
      broker.publishLines(
        `/devices/burst/controls/${control}`,
        Array.from({ length: 125 }, (_, count) => String(count)),
      ),
    ),
  );
  await poll(
    async () => {
      const { devices } = await readData(controller);
      const told = devices.find(({ id }) => id === 'burst')?.controls ?? [];
      return told.length === controls.length && told.every(({ value }) => value === '124');
    },
    { what: 'the last values have arrived' },
  );
});

test('the activation link stands on the broker until the controller is claimed', async () => {
  const link = '/devices/pult-agent/controls/activation_link';
  expect(await broker.readRetained(link)).toBe('-');
  expect(await broker.readRetained('/devices/pult-agent/controls/status')).toBe('connected');
  const { api, serialNumber } = controller;
  await api.call('deleteController', { params: { serialNumber } });
  const [, url] = await controller.agent.process.waitForLine(/activation link: (\S+)/);
  await poll(async () => (await broker.readRetained(link)) === url, { what: 'the link is on the broker' });
  await expect(readData(controller)).rejects.toMatchObject({ status: 404 });
});

test('a clock ten years off changes no time', async () => {
  const clock = new URL('./wrong-clock.mjs', import.meta.url).href;
  const env = { NODE_OPTIONS: `--import=${clock}` };
  await using wrong = await addController(site, { mqtt: broker.url, env });
  await broker.publish('/devices/clock/controls/c', 'told by a wrong clock', retained);
  const control = await poll(
    async () => {
      const found = findControl(await readData(wrong), 'clock', 'c');
      return found?.value === 'told by a wrong clock' && found;
    },
    { what: 'the value has arrived' },
  );
  expect(Math.abs(Date.parse(control.updatedAt ?? '') - Date.now())).toBeLessThan(30_000);
});
