import type { LastMqttData } from '@pult/contract';
import { poll } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTelemetryFixture, type TelemetryFixture, valueEntry } from './telemetry.fixture.ts';

let fixture: TelemetryFixture;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
});
afterAll(() => fixture.server.close());

const meta = {
  title: { en: 'Supply', ru: 'Подача' },
  type: 'temperature',
  units: '°C',
  order: 2,
  readonly: true,
};

// spec: 7.20
test('what a device tells is what the API answers, in the language of the call', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  const now = fixture.server.clock.now();
  tell(
    { offset: 1, age: 0, device: 'boiler', title: { en: 'Boiler', ru: 'Котёл' } },
    { offset: 2, age: 0, device: 'boiler', control: 'supply', meta: { ...meta, error: 'r' } },
    valueEntry(3, 'supply', '61.5', 90_000),
    {
      offset: 4,
      age: 0,
      device: 'boiler',
      control: 'pump',
      meta: { ...meta, title: { en: null, ru: null }, order: 1, readonly: null, error: null },
    },
    valueEntry(5, 'pump', '<b>on</b>'),
    valueEntry(6, 'later', 'x'),
  );
  await fixture.waitForControl(serialNumber, 'later');
  const params = { serialNumber };
  const headers = { 'accept-language': 'ru' };
  const { body } = await fixture.server.call('getLastMqttData', { as: fixture.owner, params, headers });
  expect(body).toEqual({
    receivedAt: now.toISOString(),
    devices: [
      {
        id: 'boiler',
        title: 'Котёл',
        controls: [
          {
            id: 'pump',
            title: 'pump',
            type: 'temperature',
            units: '°C',
            value: '<b>on</b>',
            order: 1,
            updatedAt: now.toISOString(),
          },
          {
            id: 'supply',
            title: 'Подача',
            type: 'temperature',
            units: '°C',
            value: '61.5',
            order: 2,
            readonly: true,
            error: 'r',
            updatedAt: new Date(now.getTime() - 90_000).toISOString(),
          },
          { id: 'later', title: 'later', type: null, units: null, value: 'x', updatedAt: now.toISOString() },
        ],
      },
    ],
  });
});

test('what the values of a control are called is answered in the language of the call, until the device takes it back', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  const described = { ...meta, error: null };
  const titles = {
    0: { en: 'Closed', ru: 'Закрыт' },
    1: { en: 'Open', ru: null },
    x: { en: null, ru: null },
  };
  tell(
    { offset: 1, age: 0, device: 'boiler', control: 'valve', meta: { ...described, enum: titles } },
    valueEntry(2, 'valve', '0'),
  );
  await fixture.waitForControl(serialNumber, 'valve');
  const read = async () => {
    const headers = { 'accept-language': 'ru' };
    const asked = { as: fixture.owner, params: { serialNumber }, headers };
    const { body } = await fixture.server.call('getLastMqttData', asked);
    return (body as LastMqttData).devices[0]?.controls[0]?.enum;
  };
  expect(await read()).toEqual({ 0: 'Закрыт', 1: 'Open', x: 'x' });
  tell(
    { offset: 3, age: 0, device: 'boiler', control: 'valve', meta: described },
    valueEntry(4, 'valve', '1'),
  );
  await fixture.waitForControl(serialNumber, 'valve', ({ value }) => value === '1');
  expect(await read()).toBeUndefined();
});

test('a controller that told nothing yet has no data and no time', async () => {
  const { serialNumber } = await fixture.addDevice();
  expect(await fixture.readData(serialNumber)).toEqual({ receivedAt: null, devices: [] });
});

test('the server goes on where it was: nothing is asked for twice, nothing stored twice', async () => {
  const device = await fixture.addDevice();
  const { serialNumber, asked } = device;
  device.tell({ offset: 3, age: 0, metrics: { load15: 1 } }, valueEntry(7, 'counter', '1'));
  await fixture.waitForControl(serialNumber, 'counter');
  device.linked.cut();
  await device.link();
  await device.waitUntilAsked();
  expect(asked[0]).toEqual({ streamId: null, offset: 0 });
  // Whoever waits for the value is somebody who looks.
  expect(asked.at(-1)).toEqual({ streamId: 'stream-of-test', offset: 7, isLive: true });
  // A device that tells again what was stored.
  device.tell(
    { offset: 3, age: 0, metrics: { load15: 1 } },
    valueEntry(7, 'counter', 'old'),
    valueEntry(8, 'next', '2'),
  );
  await fixture.waitForControl(serialNumber, 'next');
  expect((await fixture.waitForControl(serialNumber, 'counter')).value).toBe('1');
  expect(await countSamples()).toBe(1);
});

async function countSamples(): Promise<number> {
  return (await fixture.server.db.selectFrom('metric_samples').select('at').execute()).length;
}

test('an agent that starts over is heard from its beginning', async () => {
  const device = await fixture.addDevice('first-stream');
  device.tell(valueEntry(50, 'value', 'of the first stream'));
  await fixture.waitForControl(device.serialNumber, 'value');
  const { serialNumber } = device;
  const update = fixture.server.db.updateTable('telemetry_offsets').set({ stream_id: 'another-stream' });
  await update.execute();
  device.endStream();
  await device.waitUntilAsked();
  device.tell(valueEntry(1, 'value', 'of the second stream'));
  await fixture.waitForControl(serialNumber, 'value', ({ value }) => value === 'of the second stream');
});

test('a control that its driver took away goes', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  tell(valueEntry(1, 'old', '1'), valueEntry(2, 'kept', '1'));
  await fixture.waitForControl(serialNumber, 'kept');
  tell({ offset: 3, age: 0, device: 'boiler', control: 'old', gone: true }, valueEntry(4, 'last', '1'));
  await fixture.waitForControl(serialNumber, 'last');
  const { devices } = await fixture.readData(serialNumber);
  expect(devices[0]?.controls.map(({ id }) => id)).toEqual(['kept', 'last']);
});

test('bad entries are left out and the others kept', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  const boiler = { age: 0, device: 'boiler' };
  tell(
    valueEntry(-1, 'negative', 'x'),
    { ...boiler, offset: 1, title: { en: 5, ru: null } },
    valueEntry(2, 'nul', 'a\u0000b'),
    valueEntry(3, 'direction', '\u202eabc'),
    valueEntry(4, 'long', 'x'.repeat(1001)),
    valueEntry(5, '', 'x'),
    { ...valueEntry(6, 'age', 'x'), age: -500 },
    { offset: 7, age: 0, metrics: { load15: 'many', invented: 1 } },
    { ...boiler, offset: 8, control: 'described', meta: { ...meta, error: null, order: 0.5 } },
    valueEntry(9, 'good', '1'),
  );
  await fixture.waitForControl(serialNumber, 'good');
  const { devices } = await fixture.readData(serialNumber);
  expect(devices[0]?.controls.map(({ id }) => id)).toEqual(['good']);
});

test('whoever looks at the values is told of changes at once, and has the device asked to save bytes no more', async () => {
  const device = await fixture.addDevice();
  expect(device.asked).toEqual([{ streamId: null, offset: 0 }]);
  await fixture.readData(device.serialNumber);
  await poll(() => device.asked.length > 1, { what: 'the server asks anew' });
  expect(device.asked.at(-1)).toEqual({ streamId: null, offset: 0, isLive: true });
});

test('a released controller takes its data along, and its next owner sees none of it', async () => {
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  device.tell({ offset: 1, age: 0, metrics: { load15: 1 } }, valueEntry(2, 'secret', '1'));
  await fixture.waitForControl(serialNumber, 'secret');
  const { server, owner } = fixture;
  const before = await countSamples();
  expect(await server.call('deleteController', { as: owner, params: { serialNumber } })).toMatchObject({
    status: 204,
  });
  for (const table of ['mqtt_controls', 'telemetry_offsets'] as const) {
    const rows = server.db
      .selectFrom(table)
      .innerJoin('controllers', 'controllers.id', `${table}.controller_id`);
    expect(await rows.where('serial_number', '=', serialNumber).selectAll().execute()).toEqual([]);
  }
  await server.server.jobs.find(({ name }) => name === 'remove-released-telemetry')?.run();
  expect(await countSamples()).toBe(before - 1);
});

test('a control that its device has not told of for a week goes, unless the device itself is away', async () => {
  const [heard, away] = [await fixture.addDevice(), await fixture.addDevice()];
  const { server } = fixture;
  for (const { tell } of [heard, away]) tell(valueEntry(1, 'old', '1'));
  for (const { serialNumber } of [heard, away]) await fixture.waitForControl(serialNumber, 'old');
  const longAgo = new Date(server.clock.now().getTime() - 8 * 24 * 3600_000);
  await server.db.updateTable('mqtt_controls').set({ seen_at: longAgo }).execute();
  await server.db.updateTable('telemetry_offsets').set({ received_at: longAgo }).execute();
  heard.tell(valueEntry(2, 'new', '1'));
  await fixture.waitForControl(heard.serialNumber, 'new');
  await server.server.jobs.find(({ name }) => name === 'delete-unseen-controls')?.run();
  const read = async ({ serialNumber }: typeof heard) =>
    (await fixture.readData(serialNumber)).devices.flatMap(({ controls }) => controls.map(({ id }) => id));
  expect(await read(heard)).toEqual(['new']);
  expect(await read(away)).toEqual(['old']);
});

test('two links of one device at once, as when an old one is not known to be dead, store each entry once', async () => {
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  const before = await countSamples();
  const entries = Array.from({ length: 400 }, (_, index) => ({
    offset: index + 1,
    age: 0,
    metrics: { load15: index },
  }));
  // Both tell all of it, one being replaced by the other in the middle.
  device.tell(...entries.slice(0, 200));
  await Promise.all([device.link(), device.link()]);
  await poll(
    async () => {
      // A link that is being replaced may have taken what was told last.
      device.tell(...entries, valueEntry(401, 'end', '1'));
      const { devices } = await fixture.readData(serialNumber);
      return devices.length > 0;
    },
    { what: 'all of it is stored' },
  );
  expect(await countSamples()).toBe(before + 400);
});
