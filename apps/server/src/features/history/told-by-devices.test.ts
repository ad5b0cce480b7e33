import type { ControllerHistory } from '@pult/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTelemetryFixture, type TelemetryFixture, valueEntry } from '../telemetry/telemetry.fixture.ts';

const minute = 60_000;
let fixture: TelemetryFixture;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
});
afterAll(() => fixture.server.close());

const temperature = {
  title: { en: 'Supply', ru: 'Подача' },
  type: 'temperature',
  units: '°C',
  order: 1,
  readonly: true,
  error: null,
};

async function read(serialNumber: string): Promise<ControllerHistory> {
  const now = fixture.server.clock.now().getTime();
  const answer = await fixture.server.call('queryControllerHistory', {
    as: fixture.owner,
    params: { serialNumber },
    body: {
      controls: [{ device: 'boiler', control: 'supply' }],
      start: new Date(now - 60 * minute).toISOString(),
      stop: new Date(now).toISOString(),
    },
  });
  // What the route answers is checked against its schema by the test server.
  return answer.body as ControllerHistory;
}

const last = async (serialNumber: string) =>
  (await read(serialNumber)).series[0]?.points.map((point) => point.last);

it('what a device tells is its history, once, also where it tells all of it again', async () => {
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  device.tell(
    { offset: 1, age: 0, device: 'boiler', control: 'supply', meta: temperature },
    // It was claimed a moment ago: what was before is nobody's.
    valueEntry(2, 'supply', '61.5', 0),
    valueEntry(3, 'end', '1'),
  );
  await fixture.waitForControl(serialNumber, 'end');
  expect(await last(serialNumber)).toEqual([61.5]);
  device.linked.cut();
  await device.link();
  await device.waitUntilAsked();
  device.tell(valueEntry(2, 'supply', '99'), valueEntry(4, 'supply', '62', 0), valueEntry(5, 'end', '2'));
  await fixture.waitForControl(serialNumber, 'end', ({ value }) => value === '2');
  const { series } = await read(serialNumber);
  expect(series[0]?.points).toMatchObject([{ min: 61.5, max: 62, last: 62 }]);
});

it('a control is kept from when its device says its type, and by another way when that changes', async () => {
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  device.tell(valueEntry(1, 'supply', '1'), valueEntry(2, 'end', '1'));
  await fixture.waitForControl(serialNumber, 'end');
  expect(await last(serialNumber)).toEqual([]);
  device.tell(
    { offset: 3, age: 0, device: 'boiler', control: 'supply', meta: { ...temperature, type: 'switch' } },
    valueEntry(4, 'supply', '0'),
    valueEntry(5, 'end', '2'),
  );
  await fixture.waitForControl(serialNumber, 'end', ({ value }) => value === '2');
  expect(await last(serialNumber)).toEqual([0]);
});

it('a released controller takes its history along', async () => {
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  device.tell(
    { offset: 1, age: 0, device: 'boiler', control: 'supply', meta: temperature },
    valueEntry(2, 'supply', '5'),
    valueEntry(3, 'end', '1'),
  );
  await fixture.waitForControl(serialNumber, 'end');
  const { db, server } = fixture.server;
  const series = () =>
    db
      .selectFrom('history_series')
      .select('id')
      .where('device', '=', 'boiler')
      .where('controller_id', 'not in', db.selectFrom('controllers').select('id'))
      .execute();
  const deleted = await fixture.server.call('deleteController', {
    as: fixture.owner,
    params: { serialNumber },
  });
  expect(deleted.status).toBe(204);
  expect(await series()).toHaveLength(1);
  await server.jobs.find(({ name }) => name === 'remove-released-telemetry')?.run();
  expect(await series()).toEqual([]);
  const incoming = db
    .selectFrom('history_incoming')
    .select('id')
    .where('controller_id', 'not in', db.selectFrom('controllers').select('id'));
  expect(await incoming.execute()).toEqual([]);
});
