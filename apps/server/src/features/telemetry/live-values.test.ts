import type { OrganizationEvent } from '@pult/contract';
import { poll } from '@pult/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveValues } from './live-values.ts';
import { createTelemetryFixture, type TelemetryFixture, valueEntry } from './telemetry.fixture.ts';

let fixture: TelemetryFixture;
let events: Extract<OrganizationEvent, { type: 'controller.values' }>[] = [];
beforeAll(async () => {
  fixture = await createTelemetryFixture();
  fixture.server.server.events.subscribe('organization', ({ event }) => {
    if (event.type === 'controller.values') events.push(event);
  });
});
afterAll(() => fixture.server.close());

test('changes are told for a controller that somebody looks at, and of no other', async () => {
  const [watched, other] = [await fixture.addDevice(), await fixture.addDevice()];
  events = [];
  await fixture.readData(watched.serialNumber);
  other.tell(valueEntry(1, 'c', '1'));
  watched.tell(valueEntry(1, 'pump', 'on'));
  await poll(() => events.length > 0, { what: 'the change is told' });
  const updatedAt = fixture.server.clock.now().toISOString();
  expect(events).toEqual([
    {
      type: 'controller.values',
      serialNumber: watched.serialNumber,
      receivedAt: updatedAt,
      controls: [{ device: 'boiler', control: 'pump', value: 'on', updatedAt }],
      isPartial: false,
    },
  ]);
});

test('a burst is told in few events, the last value of each, and what does not fit is to be read', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  await fixture.readData(serialNumber);
  events = [];
  tell(...Array.from({ length: 1000 }, (_, index) => valueEntry(index + 1, `c${index % 10}`, String(index))));
  await poll(() => events.some(({ controls }) => controls.some(({ value }) => value === '999')), {
    what: 'the last value is told',
  });
  expect(events.length).toBeLessThan(4);
  events = [];
  tell(...Array.from({ length: 1000 }, (_, index) => valueEntry(index + 1001, `c${index}`, 'x')));
  await poll(() => events.some(({ isPartial }) => isPartial), { what: 'an event says there is more' });
  for (const { controls } of events) expect(controls.length).toBeLessThanOrEqual(200);
});

test('values that are too long together are to be read anew', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  await fixture.readData(serialNumber);
  events = [];
  const long = 'Ж'.repeat(1000);
  tell(...Array.from({ length: 150 }, (_, index) => valueEntry(index + 1, `c${index}`, long)));
  await poll(() => events.some(({ isPartial }) => isPartial), { what: 'an event says there is more' });
  for (const event of events) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(65 * 1024);
});

test('a description that changed is to be read anew', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  await fixture.readData(serialNumber);
  events = [];
  tell({ offset: 1, age: 0, device: 'boiler', title: { en: 'Boiler', ru: null } });
  await poll(() => events.length > 0, { what: 'the change is told' });
  expect(events).toMatchObject([{ controls: [], isPartial: true }]);
});

test('nobody is taken to look any more after a minute and a half', async () => {
  const { serialNumber, tell } = await fixture.addDevice();
  await fixture.readData(serialNumber);
  events = [];
  fixture.server.clock.advance(91_000);
  tell(valueEntry(1, 'c', '1'));
  const { db } = fixture.server;
  const stored = () => db.selectFrom('mqtt_controls').selectAll().where('control', '=', 'c').execute();
  await poll(async () => (await stored()).length > 1, { what: 'it is stored' });
  expect(events).toEqual([]);
});

test('the beginning of looking is told once, and its end when a minute and a half have passed without a reading', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, server } = fixture.server;
  const live = createLiveValues({ events: server.events, clock });
  const told: [string, boolean][] = [];
  live.onChange((id, isWatched) => told.push([id, isWatched]));
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    vi.advanceTimersByTime(milliseconds);
  };
  live.watch('one', 'organization', 'ONE');
  pass(60_000);
  live.watch('one', 'organization', 'ONE');
  live.watch('two', 'organization', 'TWO');
  expect(told).toEqual([
    ['one', true],
    ['two', true],
  ]);
  pass(80_000);
  expect([live.isWatched('one'), live.isWatched('three')]).toEqual([true, false]);
  for (let tens = 0; tens < 3; tens++) pass(10_000);
  expect(told.slice(2)).toEqual([
    ['one', false],
    ['two', false],
  ]);
  expect(live.isWatched('one')).toBe(false);
});
