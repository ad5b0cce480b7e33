import { deflateRawSync } from 'node:zlib';
import { poll } from '@pult/testkit';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { telemetryLimits } from '../devices/index.ts';
import { createTelemetryFixture, type TelemetryFixture, valueEntry } from './telemetry.fixture.ts';

let fixture: TelemetryFixture;
afterEach(() => fixture.server.close());

const createFixture = (budget?: { entriesPerSecond: number; floodMs: number }) =>
  createTelemetryFixture(budget ? { timing: { telemetry: { retryMs: 20, budget } } } : {});

test('a flooding device is slowed, then cut with a reason, and not listened to when it comes back', async () => {
  fixture = await createFixture({ entriesPerSecond: 200, floodMs: 1000 });
  const flooding = await fixture.addDevice();
  const honest = await fixture.addDevice();
  let last = 0;
  const pouring = setInterval(() => {
    flooding.tell(...Array.from({ length: 500 }, () => valueEntry(++last, `c${last % 50}`, String(last))));
  }, 5);
  honest.tell(valueEntry(1, 'calm', '1'));
  await fixture.waitForControl(honest.serialNumber, 'calm');
  expect(await flooding.linked.link.closed).toBe('flood');
  clearInterval(pouring);
  const rows = fixture.server.db
    .selectFrom('telemetry_offsets')
    .select('last_offset')
    .orderBy('last_offset', 'desc');
  const { last_offset: stored } = await rows.executeTakeFirstOrThrow();
  // Its burst, and a second and a half of its rate.
  expect(Number(stored)).toBeLessThan(last / 2);

  await flooding.link();
  honest.linked.cut();
  await honest.link();
  await honest.waitUntilAsked();
  expect(flooding.asked).toHaveLength(1);
});

/** 32 KiB in some fifty bytes. */
const bomb = deflateRawSync(Buffer.alloc(32_768, ' '));

test.each([
  ['a batch longer than any', Buffer.from([0xff, 0xff, 0xff, 0xff])],
  ['a batch that inflates to much more than it is', Buffer.from([0x80, 0x80, 2, bomb.length, ...bomb])],
  ['a batch that is none', Buffer.from([3, 3, 1, 2, 3])],
])('%s cuts the device', async (_, bytes) => {
  fixture = await createFixture();
  const { tell, linked } = await fixture.addDevice();
  tell(bytes);
  // Without a word: whoever lies is not answered.
  expect(await linked.link.closed).toBe('transport');
});

test('an endless number of bad entries cuts the device', async () => {
  fixture = await createFixture();
  const { tell, linked } = await fixture.addDevice();
  tell(...Array.from({ length: 10_001 }, (_, index) => valueEntry(index + 1, 'c', '\u0000')));
  expect(await linked.link.closed).toBe('transport');
}, 30_000);

test('measurements beyond all measure are left out, so that averages of a fleet can be computed', async () => {
  fixture = await createFixture();
  const { tell, serialNumber } = await fixture.addDevice();
  const metrics = [1e300, -1e300, 1e16, 5].map((load15, index) => ({
    offset: index + 1,
    age: 0,
    metrics: { load15 },
  }));
  tell(...metrics, valueEntry(9, 'last', '1'));
  await fixture.waitForControl(serialNumber, 'last');
  const { rows } = await sql<{ load: number }>`select avg(load15) as load from metric_samples`.execute(
    fixture.server.db,
  );
  expect(rows).toEqual([{ load: 5 }]);
});

test('a device that measures more than any agent has few of it kept, and its values go on', async () => {
  fixture = await createFixture();
  const { tell, serialNumber } = await fixture.addDevice();
  tell(
    ...Array.from({ length: 1_000 }, (_, index) => ({
      offset: index + 1,
      age: 0,
      metrics: { load15: index },
    })),
    valueEntry(1_001, 'last', '1'),
  );
  await fixture.waitForControl(serialNumber, 'last');
  const { rows } = await sql<{ count: number; offset: string }>`
    select count(*)::int as count, (select max(last_offset) from telemetry_offsets) as offset
    from metric_samples`.execute(fixture.server.db);
  // None of the others is told again.
  expect(rows).toEqual([{ count: 500, offset: '1001' }]);
});

test('measurements that are told again, as by a second link, are not charged twice', async () => {
  fixture = await createFixture();
  const { tell, serialNumber } = await fixture.addDevice();
  const measure = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ offset: index + 1, age: 0, metrics: { load15: index } }));
  tell(...measure(300), valueEntry(301, 'first', '1'));
  await fixture.waitForControl(serialNumber, 'first');
  // What follows is told after these have been charged.
  tell(...measure(300), valueEntry(302, 'second', '1'));
  await fixture.waitForControl(serialNumber, 'second');
  const more = measure(200).map((entry) => ({ ...entry, offset: entry.offset + 302 }));
  tell(...more, valueEntry(503, 'last', '1'));
  await fixture.waitForControl(serialNumber, 'last');
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from metric_samples`.execute(
    fixture.server.db,
  );
  expect(rows).toEqual([{ count: 500 }]);
});

test('what is told again in one breath with what is new takes no room from it', async () => {
  fixture = await createFixture();
  const { tell, serialNumber } = await fixture.addDevice();
  const measure = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      offset: from + index,
      age: 0,
      metrics: { load15: index },
    }));
  tell(...measure(1, 300), valueEntry(301, 'first', '1'));
  await fixture.waitForControl(serialNumber, 'first');
  tell(...measure(302, 450), ...measure(1, 300), valueEntry(451, 'last', '1'));
  await fixture.waitForControl(serialNumber, 'last');
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from metric_samples`.execute(
    fixture.server.db,
  );
  expect(rows).toEqual([{ count: 449 }]);
});

test('a stream that does not begin with a greeting cuts the device', async () => {
  fixture = await createFixture();
  const { linked } = await fixture.addDevice('no stream id at all');
  expect(await linked.link.closed).toBe('transport');
});

test('a device with more controls than any has keeps its first ones, which go on changing', async () => {
  fixture = await createFixture();
  const { serialNumber, tell } = await fixture.addDevice();
  const { controls } = telemetryLimits;
  const entries = Array.from({ length: controls + 300 }, (_, index) =>
    valueEntry(index + 1, `c${index}`, '1'),
  );
  tell(...entries);
  const last = controls + 301;
  tell(valueEntry(last, 'c0', 'changed'));
  const count = async () =>
    (await fixture.server.db.selectFrom('mqtt_controls').select('control').execute()).length;
  await fixture.waitForControl(serialNumber, 'c0', ({ value }) => value === 'changed');
  expect(await count()).toBe(controls);
  // One that goes makes room for another.
  tell(
    { offset: last + 1, age: 0, device: 'boiler', control: 'c1', gone: true },
    valueEntry(last + 2, 'new', '1'),
  );
  await fixture.waitForControl(serialNumber, 'new');
  expect(await count()).toBe(controls);
}, 60_000);

test('a database that is away: what is told meanwhile is asked for again and stored once', async () => {
  fixture = await createFixture();
  const device = await fixture.addDevice();
  const { serialNumber } = device;
  const { db } = fixture.server;
  device.tell(valueEntry(1, 'before', '1'));
  await fixture.waitForControl(serialNumber, 'before');
  // As good as away for whoever writes: every statement fails.
  await db.schema.alterTable('mqtt_controls').renameTo('away').execute();
  device.tell(valueEntry(2, 'during', '1'), { offset: 3, age: 0, metrics: { load15: 5 } });
  const before = device.asked.length;
  await poll(() => device.asked.length > before + 2, { what: 'it asks again and again' });
  expect(device.asked.at(-1)).toEqual({ streamId: 'stream-of-test', offset: 1, isLive: true });
  await db.schema.alterTable('away').renameTo('mqtt_controls').execute();
  await fixture.waitForControl(serialNumber, 'during');
  expect(await db.selectFrom('metric_samples').selectAll().execute()).toHaveLength(1);
});

test('what one device says does not keep the others from being stored', async () => {
  fixture = await createFixture();
  const [bad, good] = [await fixture.addDevice(), await fixture.addDevice()];
  // A fault that the checks of entries do not know, as a bug would be one.
  await sql`alter table mqtt_controls add check (value <> 'poison')`.execute(fixture.server.db);
  bad.tell(valueEntry(1, 'c', 'poison'));
  good.tell(valueEntry(1, 'c', 'food'));
  await fixture.waitForControl(good.serialNumber, 'c');
  expect((await fixture.readData(bad.serialNumber)).devices).toEqual([]);
});
