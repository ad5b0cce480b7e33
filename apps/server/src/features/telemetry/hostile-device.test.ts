import { telemetryLimits } from '@pult/link';
import { poll } from '@pult/testkit';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createTelemetryScene, type TelemetryScene, valueLine } from './telemetry-scene.fixture.ts';

let scene: TelemetryScene;
afterEach(() => scene.server.close());

const createScene = (budget?: { linesPerSecond: number; floodMs: number }) =>
  createTelemetryScene(budget ? { timing: { telemetry: { retryMs: 20, budget } } } : {});

test('a flooding device is slowed, then cut with a reason, and not listened to when it comes back', async () => {
  scene = await createScene({ linesPerSecond: 200, floodMs: 1000 });
  const flooding = await scene.addDevice();
  const honest = await scene.addDevice();
  let seq = 0;
  const pouring = setInterval(() => {
    flooding.tell(...Array.from({ length: 500 }, () => valueLine(++seq, `c${seq % 50}`, String(seq))));
  }, 5);
  honest.tell(valueLine(1, 'calm', '1'));
  await scene.waitForControl(honest.serialNumber, 'calm');
  expect(await flooding.linked.link.closed).toBe('flood');
  clearInterval(pouring);
  const rows = scene.server.db.selectFrom('telemetry_positions').select('seq').orderBy('seq', 'desc');
  const { seq: stored } = await rows.executeTakeFirstOrThrow();
  // Its burst, and a second and a half of its rate.
  expect(Number(stored)).toBeLessThan(seq / 2);

  await flooding.link();
  honest.linked.cut();
  await honest.link();
  await honest.waitUntilAsked(2);
  expect(flooding.asked).toHaveLength(1);
});

test.each([
  ['a line without an end', 'x'.repeat(telemetryLimits.lineBytes * 3)],
  ['an endless number of bad lines', 'bad\n'.repeat(10_001)],
])('%s cuts the device', async (_, text) => {
  scene = await createScene();
  const { tell, linked } = await scene.addDevice();
  tell(text);
  // Without a word: whoever lies is not answered.
  expect(await linked.link.closed).toBe('transport');
});

test('a stream that does not begin with a greeting cuts the device', async () => {
  scene = await createScene();
  const { linked } = await scene.addDevice('no ring at all');
  expect(await linked.link.closed).toBe('transport');
});

test('a device with more controls than any has keeps its first ones, which go on changing', async () => {
  scene = await createScene();
  const { serialNumber, tell } = await scene.addDevice();
  const { controls } = telemetryLimits;
  const lines = Array.from({ length: controls + 300 }, (_, index) => valueLine(index + 1, `c${index}`, '1'));
  tell(...lines);
  const last = controls + 301;
  tell(valueLine(last, 'c0', 'changed'));
  const count = async () =>
    (await scene.server.db.selectFrom('mqtt_controls').select('control').execute()).length;
  await scene.waitForControl(serialNumber, 'c0', ({ value }) => value === 'changed');
  expect(await count()).toBe(controls);
  // One that goes makes room for another.
  tell(
    { seq: last + 1, age: 0, device: 'boiler', control: 'c1', gone: true },
    valueLine(last + 2, 'new', '1'),
  );
  await scene.waitForControl(serialNumber, 'new');
  expect(await count()).toBe(controls);
}, 60_000);

test('a database that is away: what is told meanwhile is asked for again and stored once', async () => {
  scene = await createScene();
  const device = await scene.addDevice();
  const { serialNumber } = device;
  const { db } = scene.server;
  device.tell(valueLine(1, 'before', '1'));
  await scene.waitForControl(serialNumber, 'before');
  // As good as away for whoever writes: every statement fails.
  await db.schema.alterTable('mqtt_controls').renameTo('away').execute();
  device.tell(valueLine(2, 'during', '1'), { seq: 3, age: 0, metrics: { load15: 5 } });
  await device.waitUntilAsked(2);
  expect(device.asked.at(-1)).toEqual({ ring: 'ring-of-test', seq: 1 });
  await db.schema.alterTable('away').renameTo('mqtt_controls').execute();
  await poll(
    async () => {
      // A device tells again what it is asked for.
      device.tell(valueLine(2, 'during', '1'), { seq: 3, age: 0, metrics: { load15: 5 } });
      const { devices } = await scene.readData(serialNumber);
      return devices[0]?.controls.some(({ id }) => id === 'during');
    },
    { what: 'what was told while it was away is there' },
  );
  expect(await db.selectFrom('metric_samples').selectAll().execute()).toHaveLength(1);
});

test('what one device says does not keep the others from being stored', async () => {
  scene = await createScene();
  const [bad, good] = [await scene.addDevice(), await scene.addDevice()];
  // A fault that the checks of lines do not know, as a bug would be one.
  await sql`alter table mqtt_controls add check (value <> 'poison')`.execute(scene.server.db);
  bad.tell(valueLine(1, 'c', 'poison'));
  good.tell(valueLine(1, 'c', 'food'));
  await scene.waitForControl(good.serialNumber, 'c');
  expect((await scene.readData(bad.serialNumber)).devices).toEqual([]);
});
