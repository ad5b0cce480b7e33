import { once } from 'node:events';
import { createServer } from 'node:net';
import { type MqttBroker, startMqttBroker } from '@pult/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
let broker: MqttBroker;
beforeAll(async () => {
  [fixture, broker] = await Promise.all([
    // One of the hostile brokers is cut by that time.
    createWirenBoardFixture({ isTls: false, timing: { wirenBoard: { broker: { connectMs: 3_000 } } } }),
    startMqttBroker(),
  ]);
  const retained = {
    '/devices/wb-adc/meta/name': 'ADC',
    '/devices/wb-adc/controls/Vin': '24.1',
    '/devices/wb-adc/controls/Vin/meta/type': 'voltage',
    '/devices/metrics/controls/load_average_15min': '0.35',
    '/devices/hwmon/controls/CPU Temperature': '61.5',
    '/devices/system/controls/Current uptime': '3d18h3m',
  };
  for (const [topic, value] of Object.entries(retained)) await broker.publish(topic, value, { retain: true });
});
afterAll(async () => {
  await fixture.close();
  await broker.stop();
});

async function addLinked(serialNumber: string, brokerPort?: number) {
  const device = await fixture.addDevice(serialNumber);
  return device.openTunnel(brokerPort === undefined ? {} : { 1883: brokerPort });
}

/** What is stored: whoever asks the API for values looks at them. */
async function readStored(serialNumber: string): Promise<Record<string, string | null>> {
  const rows = await fixture.server.db
    .selectFrom('mqtt_controls')
    .innerJoin('controllers', 'controllers.id', 'mqtt_controls.controller_id')
    .select(['device', 'control', 'value'])
    .where('serial_number', '=', serialNumber)
    .execute();
  return Object.fromEntries(rows.map(({ device, control, value }) => [`${device}/${control}`, value]));
}

const look = (serialNumber: string) =>
  fixture.server.call('getLastMqttData', { as: fixture.owner, params: { serialNumber } });

it('values, titles and figures are read from the controller’s own broker while nobody looks', async () => {
  const tunnel = await addLinked('READ1', broker.port);
  await expect
    .poll(() => readStored('READ1'), { timeout: 20_000 })
    .toMatchObject({ 'wb-adc/Vin': '24.1', 'hwmon/CPU Temperature': '61.5' });
  const [sample] = await fixture.server.db
    .selectFrom('metric_samples')
    .innerJoin('controllers', 'controllers.id', 'metric_samples.controller_id')
    .selectAll('metric_samples')
    .where('serial_number', '=', 'READ1')
    .execute();
  expect(sample).toMatchObject({ load15: 0.35, temperature: 61.5, uptime: 324_180, cpu_usage: null });
  // Nothing stays open at the controller.
  await expect.poll(() => tunnel.requests.length).toBe(1);
  expect(tunnel.requests[0]).toContain('CONNECT 127.0.0.1:1883');
});

it('what changes is told at once while somebody looks', async () => {
  await addLinked('LIVE1', broker.port);
  await expect.poll(() => readStored('LIVE1'), { timeout: 20_000 }).toHaveProperty('wb-adc/Vin');
  await look('LIVE1');
  await expect
    .poll(
      async () => {
        await broker.publish('/devices/wb-adc/controls/Iout', '7', { retain: false });
        return readStored('LIVE1');
      },
      { timeout: 20_000, interval: 500 },
    )
    .toHaveProperty('wb-adc/Iout', '7');
});

it('a controller without a broker is asked again when somebody looks, and stays linked', async () => {
  const tunnel = await addLinked('NONE1');
  await expect.poll(() => tunnel.requests.length, { timeout: 10_000 }).toBe(1);
  await look('NONE1');
  await expect.poll(() => tunnel.requests.length, { timeout: 10_000 }).toBeGreaterThan(1);
  const { body } = await fixture.server.call('getController', {
    as: fixture.owner,
    params: { serialNumber: 'NONE1' },
  });
  expect(body).toMatchObject({ status: 'online' });
  expect(await readStored('NONE1')).toEqual({});
});

it.each([
  ['MQTT1', 'says what is no MQTT', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['MQTT2', 'begins a packet of 200 MB', Buffer.from([0x20, 2, 0, 0, 0x30, 0xff, 0xff, 0xff, 0x5f])],
  ['MQTT3', 'says nothing but noise', Buffer.alloc(100_000, 0xee)],
])('%s: a broker that %s costs its own reading alone', async (serialNumber, _title, answer) => {
  const hostile = createServer((socket) => {
    socket.on('error', () => {});
    // Its end is seen only by who reads.
    socket.resume();
    socket.write(answer);
  });
  await once(hostile.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void hostile.close());
  const { port } = hostile.address() as { port: number };
  const closed = new Promise<void>((resolve) => {
    hostile.on('connection', (socket) => socket.once('close', () => resolve()));
  });
  await addLinked(serialNumber, port);
  await closed;
  const { body } = await fixture.server.call('getController', {
    as: fixture.owner,
    params: { serialNumber },
  });
  expect(body).toMatchObject({ status: 'online' });
  expect(await readStored(serialNumber)).toEqual({});
});
