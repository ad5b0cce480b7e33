import type { ControllerHistory, OrganizationHistory } from '@pult/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { day, hour } from './core/resolutions.ts';
import { createHistoryFixture, type HistoryFixture, type ToldAt } from './history.fixture.ts';

const minute = 60_000;
let fixture: HistoryFixture;
/** A day that is over, at its beginning. */
let past: number;

beforeAll(async () => {
  fixture = await createHistoryFixture();
  past = Math.floor(fixture.server.clock.now().getTime() / day) * day - 3 * day;
});
afterAll(() => fixture.server.close());

const pointsOf = ({ series }: ControllerHistory) => series[0]?.points ?? [];
const shown = (history: ControllerHistory, start: number) =>
  pointsOf(history).map(({ timestamp, min, mean, max, last }) => [
    (Date.parse(timestamp) - start) / minute,
    min,
    mean,
    max,
    last,
  ]);
const supply = (at: number, value: number | string): ToldAt => ({
  control: 'supply',
  value: String(value),
  at,
});

it('what a control was is read the same before its hour is closed, after that, and when its day is', async () => {
  const controller = await fixture.addController();
  const start = past + 2 * hour;
  await controller.tell([supply(start, 20), supply(start + 90_000, 30)]);
  await controller.tell([supply(start + 10 * minute, 25.5)]);
  const expected = [
    [0, 20, 22.5, 30, 30],
    [10, 25.5, 25.5, 25.5, 25.5],
  ];
  const read = async () => shown(await controller.read('supply', start, start + hour), start);
  expect(await read()).toEqual(expected);
  await fixture.keep();
  expect(await fixture.countRows()).toMatchObject({ incoming: 0, hours: 0 });
  expect(await read()).toEqual(expected);
  await fixture.keep();
  expect(await read()).toEqual(expected);
  expect((await controller.read('supply', start, start + hour)).resolution).toBe(120);
});

it('an hour of today stands in one row of its controller until the day is over', async () => {
  const controller = await fixture.addController();
  const now = fixture.server.clock.now().getTime();
  fixture.server.clock.advance(Math.ceil(now / day) * day + 12 * hour - now);
  const start = fixture.server.clock.now().getTime() - 3 * hour;
  await controller.tell([supply(start, 1), { control: 'pump', value: '1', at: start + 10 * minute }]);
  const before = await fixture.countRows();
  await fixture.keep();
  expect(await fixture.countRows()).toMatchObject({ incoming: before.incoming - 1, hours: before.hours + 1 });
  expect(shown(await controller.read('supply', start, start + hour), start)).toEqual([[0, 1, 1, 1, 1]]);
});

it('a switch is read as its changes, with what it was before the period', async () => {
  const controller = await fixture.addController();
  const pump = (at: number, value: string): ToldAt => ({ control: 'pump', value, at });
  await controller.tell([pump(past, '0'), pump(past + hour + 12_300, '1'), pump(past + 2 * hour, '1')]);
  await controller.tell([pump(past + 3 * hour, '0')]);
  const start = past + 30 * minute;
  const read = async () =>
    pointsOf(await controller.read('pump', start, past + 4 * hour)).map(({ timestamp, last }) => [
      Date.parse(timestamp) - past,
      last,
    ]);
  const expected = [
    [30 * minute, 0],
    [hour + 12_300, 1],
    [3 * hour, 0],
  ];
  expect(await read()).toEqual(expected);
  await fixture.keep();
  expect(await read()).toEqual(expected);
});

it('over a month a point is half an hour: of a switch the share of it that it was on', async () => {
  const controller = await fixture.addController();
  const start = past - 20 * day;
  const told: ToldAt[] = [];
  for (let at = start; at < start + 2 * day; at += 30 * minute) {
    told.push({ control: 'pump', value: '1', at }, { control: 'pump', value: '0', at: at + 6 * minute });
    told.push(supply(at, 10), supply(at + 15 * minute, 20));
  }
  await controller.tell(told);
  await fixture.keep();
  const pump = await controller.read('pump', start - 5 * day, start + 25 * day);
  expect(pump.resolution).toBe(1800);
  const mean = pointsOf(pump)
    .slice(0, 96)
    .map((point) => point.mean);
  expect(Math.min(...mean)).toBeCloseTo(0.2, 1);
  expect(Math.max(...mean)).toBeCloseTo(0.2, 1);
  const points = pointsOf(await controller.read('supply', start - 5 * day, start + 25 * day));
  expect(points).toHaveLength(96);
  expect(points[0]).toMatchObject({ timestamp: new Date(start).toISOString(), min: 10, max: 20, last: 20 });
  expect(points[0]?.mean).toBeCloseTo(15, 0);
});

it('what comes late for a week that has been rolled is in its half hours and days', async () => {
  const controller = await fixture.addController();
  const start = past - 15 * day;
  await controller.tell([supply(start, 10)]);
  await fixture.keep();
  await controller.tell([supply(start + 5 * minute, 90), supply(start + 6 * hour, 40)]);
  await fixture.keep();
  expect((await fixture.countRows()).dirty).toBe(0);
  const month = await controller.read('supply', start - 5 * day, start + 25 * day);
  expect(pointsOf(month).map(({ min, max, last }) => [min, max, last])).toEqual([
    [10, 90, 90],
    [40, 40, 40],
  ]);
  const years = await controller.read('supply', past - 1500 * day, past);
  expect(years.resolution).toBe(86_400);
  expect(pointsOf(years).map(({ min, max, last }) => [min, max, last])).toEqual([[10, 90, 40]]);
});

it('rows that cannot be read do not keep the job from what is of others', async () => {
  const [broken, sound] = [await fixture.addController(), await fixture.addController()];
  const start = past - 15 * day;
  for (const controller of [broken, sound]) await controller.tell([supply(start, 10)]);
  await fixture.keep();
  const { db } = fixture.server;
  const series = db.selectFrom('history_series').select('id').where('controller_id', '=', broken.id);
  const data = Buffer.from('no chunk');
  await db.updateTable('history_chunks').set({ data }).where('series_id', 'in', series).execute();
  for (const controller of [broken, sound]) await controller.tell([supply(start + hour, 30)]);
  await db
    .insertInto('history_hours')
    .values({ controller_id: broken.id, hour: start / hour + 1, data })
    .execute();
  await fixture.keep();
  expect(await fixture.countRows()).toMatchObject({ incoming: 0, dirty: 0 });
  expect(pointsOf(await sound.read('supply', start - day, start + 30 * day))).toHaveLength(2);
  expect(pointsOf(await broken.read('supply', start, start + day)).map(({ last }) => last)).toEqual([30]);
});

it('each resolution is kept for its time, and no longer', async () => {
  const controller = await fixture.addController();
  const start = Math.floor(fixture.server.clock.now().getTime() / day) * day - 2 * day;
  await controller.tell([supply(start, 1), supply(start + 30_000, 3)]);
  await fixture.keep();
  const read = async (period: number) =>
    shown(await controller.read('supply', start, start + period), start).map(([, min, , max]) => [min, max]);
  expect(await read(hour)).toEqual([[1, 3]]);
  fixture.server.clock.advance(60 * day);
  await fixture.keep();
  expect(await read(hour)).toEqual([[1, 3]]);
  expect((await controller.read('supply', start, start + hour)).resolution).toBe(1800);
  fixture.server.clock.advance(500 * day);
  await fixture.keep();
  expect((await controller.read('supply', start, start + day)).resolution).toBe(86_400);
  expect(await read(day)).toEqual([[1, 3]]);
  fixture.server.clock.advance(1500 * day);
  await fixture.keep();
  expect(await read(day)).toEqual([]);
  expect((await fixture.countRows()).chunks).toBe(0);
});

it('texts, controls without a type and values that are no numbers have no history', async () => {
  const controller = await fixture.addController();
  const at = fixture.server.clock.now().getTime() - minute;
  const told = ['name', 'odd', 'unknown'].map((control) => ({ control, value: '1', at }));
  await controller.tell([
    ...told,
    supply(at, 'broken'),
    supply(at, 'NaN'),
    supply(at, `1${'0'.repeat(400)}`),
  ]);
  for (const control of ['name', 'odd', 'unknown', 'supply'])
    expect(pointsOf(await controller.read(control, at - hour, at + minute))).toEqual([]);
});

it('what was told before the claim, or would be in no resolution any more, is left out', async () => {
  const controller = await fixture.addController();
  const now = fixture.server.clock.now().getTime();
  await controller.tell([supply(now - 100 * day, 1), supply(now - 3000 * day, 2)]);
  expect(pointsOf(await controller.read('supply', now - 1500 * day, now))).toEqual([]);
});

it('a controller has 500 series at most, however many names it invents, and those that it has go on', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `control-${index}`);
  const controller = await fixture.addController(Object.fromEntries(names.map((name) => [name, 'value'])));
  const at = fixture.server.clock.now().getTime() - minute;
  await controller.tell(names.slice(0, 490).map((control) => ({ control, value: '1', at })));
  await controller.tell(
    names.map((control) => ({ control, value: '2', at: at + 1000 })),
    { source: {} },
  );
  const { count } = await fixture.server.db
    .selectFrom('history_series')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('controller_id', '=', controller.id)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(500);
  expect(pointsOf(await controller.read('control-3', at - hour, at + minute)).at(-1)?.last).toBe(2);
});

it('a device that tells without end has so many values kept as an honest one tells, and more when it has paused', async () => {
  const controller = await fixture.addController();
  const at = Math.floor(fixture.server.clock.now().getTime() / hour) * hour;
  const flood = (count: number) => Array.from({ length: count }, () => supply(at, 1));
  const countBytes = async () => {
    const rows = await fixture.server.db
      .selectFrom('history_incoming')
      .select('data')
      .where('controller_id', '=', controller.id)
      .execute();
    return rows.reduce((sum, { data }) => sum + data.length, 0);
  };
  await controller.tell(flood(30_000));
  const first = await countBytes();
  await controller.tell(flood(30_000));
  expect(await countBytes()).toBe(first);
  fixture.server.clock.advance(60_000);
  await controller.tell(flood(30_000));
  expect((await countBytes()) / first).toBeCloseTo(1.1, 1);
});

it('one control of several controllers is read at once, and of a controller that is not seen nothing', async () => {
  const { server, organizationId } = fixture;
  const [one, two, foreign] = [
    await fixture.addController(),
    await fixture.addController(),
    await fixture.addController(),
  ];
  const others = await server.createOrganization(await server.createUser());
  await server.db
    .updateTable('controllers')
    .set({ organization_id: others })
    .where('id', '=', foreign.id)
    .execute();
  const at = server.clock.now().getTime() - minute;
  await one.tell([supply(at, 1)]);
  await two.tell([supply(at, 2)]);
  await foreign.tell([supply(at, 3)]);
  const user = await server.createUser();
  await server.addMember(organizationId, user, 'viewer');
  const controllers = [two.serialNumber, foreign.serialNumber, one.serialNumber];
  const answer = await server.call('queryOrganizationHistory', {
    as: user,
    params: { organizationId },
    body: {
      device: 'boiler',
      control: 'supply',
      controllers,
      start: new Date(at - hour).toISOString(),
      stop: new Date(at + minute).toISOString(),
    },
  });
  // What the route answers is checked against its schema by the test server.
  const { series } = answer.body as OrganizationHistory;
  expect(series.map(({ serialNumber, points }) => [serialNumber, points.map(({ last }) => last)])).toEqual([
    [two.serialNumber, [2]],
    [foreign.serialNumber, []],
    [one.serialNumber, [1]],
  ]);
});
