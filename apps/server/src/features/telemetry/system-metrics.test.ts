import type { SystemMetrics } from '@pult/contract';
import { poll } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTelemetryFixture, type TelemetryFixture, type TellingDevice } from './telemetry.fixture.ts';

let fixture: TelemetryFixture;
let device: TellingDevice;
beforeAll(async () => {
  fixture = await createTelemetryFixture();
  device = await fixture.addDevice();
});
afterAll(() => fixture.server.close());

const minute = 60_000;
const query = (body: object, headers: Record<string, string> = {}) =>
  fixture.server.call('querySystemMetrics', {
    as: fixture.owner,
    params: { serialNumber: device.serialNumber },
    body,
    headers,
  });

/** Whole hours before now. */
function hoursAgo(hours: number): string {
  const hour = Math.floor(fixture.server.clock.now().getTime() / 3600_000);
  return new Date((hour - hours) * 3600_000).toISOString();
}

// spec: 7.21
test('measurements of a device that was away are shown at their own times, at most 500 points', async () => {
  await fixture.server.db
    .updateTable('controllers')
    .set({ activated_at: new Date(0) })
    .execute();
  device.linked.cut();
  await device.link();
  await device.waitUntilAsked();
  // A day of one each minute, told at once by a device whose clock nobody asks.
  const count = 24 * 60;
  device.tell(
    ...Array.from({ length: count }, (_, index) => ({
      offset: index + 1,
      age: (count - index) * minute,
      metrics: { load15: index, temperature: 50 },
    })),
  );
  const read = async (name: string) =>
    (await query({ name, start: hoursAgo(25), stop: fixture.server.clock.now().toISOString() }))
      .body as SystemMetrics;
  const points = await poll(
    async () => {
      const found = await read('load15');
      return (found.at(-1)?.value ?? 0) > count - 10 && found;
    },
    { what: 'all of it is stored' },
  );
  expect(points.length).toBeGreaterThan(280);
  expect(points.length).toBeLessThanOrEqual(500);
  expect(points.map(({ value }) => value)).toEqual(
    points.map(({ value }) => value).toSorted((a, b) => a - b),
  );
  for (const { timestamp } of points) expect(Date.parse(timestamp) % (5 * minute)).toBe(0);
  expect(new Set((await read('temperature')).map(({ value }) => value))).toEqual(new Set([50]));
  expect(await read('cpu_usage')).toEqual([]);
});

// spec: 7.21
test.each([
  [{ name: 'invented' }, 'name'],
  [{ start: 'yesterday' }, 'start'],
  [{ start: 1700000000 }, 'start'],
  [{ start: '2026-01-02T00:00:00Z', stop: '2026-01-01T00:00:00Z' }, 'stop'],
  [{ extra: 1 }, 'extra'],
])('%j is refused by its field', async (change, field) => {
  const body = {
    name: 'load15',
    start: '2026-01-01T00:00:00Z',
    stop: '2026-01-02T00:00:00+03:00',
    ...change,
  };
  const answer = await query(body);
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, [field]]);
});

test('any period that can be written is answered', async () => {
  const longest = { name: 'load15', start: '0001-01-01T00:00:00Z', stop: '9999-12-31T23:59:59.999Z' };
  const answer = await query(longest);
  expect(answer.status).toBe(200);
  expect((answer.body as SystemMetrics).length).toBeLessThanOrEqual(500);
  expect(await query({ ...longest, stop: longest.start })).toMatchObject({ status: 200, body: [] });
});

test('a store that does not answer is told as such, in the language of the call', async () => {
  const { server } = fixture;
  const away = await createTelemetryFixture({
    environment: { VICTORIAMETRICS_URL: 'http://127.0.0.1:1' },
  });
  const lonely = await away.addDevice();
  const answer = await away.server.call('querySystemMetrics', {
    as: away.owner,
    params: { serialNumber: lonely.serialNumber },
    body: { name: 'load15', start: '2026-01-01T00:00:00Z', stop: server.clock.now().toISOString() },
    headers: { 'accept-language': 'ru' },
  });
  await away.server.close();
  expect(answer).toMatchObject({
    status: 503,
    body: { code: 'metrics_unavailable', detail: expect.stringContaining('Хранилище измерений') },
  });
});
