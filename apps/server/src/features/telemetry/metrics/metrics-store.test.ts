import { poll, startVictoriaMetrics, type VictoriaMetrics } from '@pult/testkit';
import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { createLog } from '../../../testing.ts';
import { type MetricName, metricNames } from '../../devices/index.ts';
import { createMetricOutboxRepository } from './metric-outbox.repository.ts';
import { createMetricSamplesRepository } from './metric-samples.repository.ts';
import type { MetricSample, MetricsStore } from './metrics-store.ts';
import { createPostgresStore } from './postgres-store.ts';
import { createVictoriaClient } from './victoria-client.ts';
import { createVictoriaStore } from './victoria-store.ts';

let server: TestServer;
let victoria: VictoriaMetrics;
const retentionDays = 30;
const day = 24 * 3600_000;

beforeAll(async () => {
  server = await createTestServer();
  victoria = await startVictoriaMetrics();
});
afterAll(async () => {
  await victoria?.stop();
  await server?.close();
});

function createStore(kind: 'PostgreSQL' | 'VictoriaMetrics'): MetricsStore {
  const { db, clock } = server;
  if (kind === 'PostgreSQL') {
    return createPostgresStore({ clock }, { repository: createMetricSamplesRepository(db), retentionDays });
  }
  return createVictoriaStore(
    { log: createLog('silent') },
    {
      client: createVictoriaClient(victoria.url, 5_000),
      outbox: createMetricOutboxRepository(db),
    },
  );
}

function createSample(
  controllerId: string,
  at: Date,
  values: MetricSample['values'],
  organizationId = 'organization',
): MetricSample {
  return { controllerId, serialNumber: 'SN-1', organizationId, at, values };
}

async function write(store: MetricsStore, samples: readonly MetricSample[]): Promise<void> {
  await store.prepare(samples);
  await server.db.transaction().execute((transaction) => store.write(transaction, samples));
}

/** Points as soon as there are that many. */
async function query(store: MetricsStore, controllerId: string, name: MetricName, from: number, count = 1) {
  const now = server.clock.now().getTime();
  const asked = {
    controllerId,
    name,
    start: new Date(from),
    stop: new Date(now + 60_000),
    bucketMs: 60_000,
  };
  return poll(
    async () => {
      await victoria.flush();
      const points = await store.query(asked);
      return points.length >= count && points;
    },
    { what: `there are ${count} points` },
  );
}

/** The beginning of the last whole minute. */
const minute = () => Math.floor(server.clock.now().getTime() / 60_000) * 60_000;

describe.each(['PostgreSQL', 'VictoriaMetrics'] as const)('%s', (kind) => {
  let store: MetricsStore;
  beforeAll(() => {
    store = createStore(kind);
    store.start();
  });
  afterAll(() => store.stop());

  // spec: 7.21
  test('averages by bucket, each with its beginning, its end not included', async () => {
    const id = createId();
    const at = (milliseconds: number) => new Date(minute() - 120_000 + milliseconds);
    await write(store, [
      createSample(id, at(0), { load15: 1 }),
      createSample(id, at(30_000), { load15: 2 }),
      createSample(id, at(59_999), { load15: 6 }),
      createSample(id, at(60_000), { load15: 10 }),
      createSample(id, at(61_000), { uptime: 5 }),
      createSample(createId(), at(0), { load15: 1000 }),
    ]);
    const points = await query(store, id, 'load15', minute() - 180_000, 2);
    expect(points).toEqual([
      { at: at(0), value: 3 },
      { at: at(60_000), value: 10 },
    ]);
  });

  test('every figure keeps its value', async () => {
    const id = createId();
    const values = Object.fromEntries(metricNames.map((name, index) => [name, 1e9 + index + 0.5]));
    await write(store, [createSample(id, new Date(minute()), values)]);
    for (const name of metricNames) {
      const [point] = await query(store, id, name, minute());
      expect(point?.value).toBeCloseTo(values[name] ?? 0, 3);
    }
  });

  test('what a rolled back transaction wrote is not there', async () => {
    const id = createId();
    const samples = [createSample(id, new Date(minute()), { load15: 1 })];
    await store.prepare(samples);
    const failing = server.db.transaction().execute(async (transaction) => {
      await store.write(transaction, samples);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    const later = createId();
    await write(store, [createSample(later, new Date(minute()), { load15: 2 })]);
    await query(store, later, 'load15', minute());
    expect(await query(store, id, 'load15', minute(), 0)).toEqual([]);
  });

  test('sums a part of time up for each organization, and names its worst controllers', async () => {
    const owner = await server.createUser();
    const [organizationId, another] = [
      await server.createOrganization(owner),
      await server.createOrganization(owner),
    ];
    const create = async (of: string) => (await createTestController(server, { organizationId: of })).id;
    const [low, middle, high, silent] = [
      await create(organizationId),
      await create(organizationId),
      await create(organizationId),
      await create(organizationId),
    ];
    const foreign = await create(another);
    const old = { activated_at: new Date(0) };
    await server.db.updateTable('controllers').set(old).execute();
    const at = (milliseconds: number) => new Date(minute() - 300_000 + milliseconds);
    await write(store, [
      createSample(low, at(0), { load15: 0, temperature: 40 }, organizationId),
      createSample(low, at(60_000), { load15: 2 }, organizationId),
      createSample(middle, at(0), { load15: 5 }, organizationId),
      createSample(high, at(299_999), { load15: 9 }, organizationId),
      // Of the next part, and of nobody's concern here.
      createSample(high, at(300_000), { load15: 100 }, organizationId),
      createSample(silent, at(-1), { load15: 1000 }, organizationId),
      createSample(foreign, at(0), { load15: 50 }, another),
    ]);
    await query(store, foreign, 'load15', at(0).getTime());
    await query(store, high, 'load15', at(0).getTime(), 2);
    const figures = await store.summarize(at(0), at(300_000));
    const of = (id: string) => figures.filter((figure) => figure.organizationId === id);
    expect(of(organizationId)).toHaveLength(2);
    expect(of(organizationId)).toEqual(
      expect.arrayContaining([
        { organizationId, name: 'load15', controllers: 3, lowest: 1, median: 5, highest: 9 },
        { organizationId, name: 'temperature', controllers: 1, lowest: 40, median: 40, highest: 40 },
      ]),
    );
    expect(of(another)).toMatchObject([{ name: 'load15', controllers: 1, highest: 50 }]);

    const asked = { organizationId, name: 'load15', start: at(0), stop: at(300_000), limit: 2 } as const;
    expect(await store.listWorst({ ...asked, isLowWorst: false })).toEqual([
      { controllerId: high, value: 9 },
      { controllerId: middle, value: 5 },
    ]);
    // By the newest figure, not by the lowest.
    expect(await store.listWorst({ ...asked, isLowWorst: true })).toEqual([
      { controllerId: low, value: 2 },
      { controllerId: middle, value: 5 },
    ]);
  });

  test('removes a controller and no other', async () => {
    const [gone, kept] = [createId(), createId()];
    await write(store, [
      createSample(gone, new Date(minute()), { load15: 1 }),
      createSample(kept, new Date(minute()), { load15: 1 }),
    ]);
    await query(store, gone, 'load15', minute());
    await store.remove([gone]);
    await poll(async () => (await query(store, gone, 'load15', minute(), 0)).length === 0, {
      what: 'the removed ones are gone',
    });
    expect(await query(store, kept, 'load15', minute())).toHaveLength(1);
  });
});

test('VictoriaMetrics that is down gets later what was acknowledged meanwhile, once', async () => {
  const store = createStore('VictoriaMetrics');
  store.start();
  const [before, during] = [createId(), createId()];
  await write(store, [createSample(before, new Date(minute()), { load15: 1 })]);
  await query(store, before, 'load15', minute());
  await victoria.halt();
  await write(store, [createSample(during, new Date(minute()), { load15: 7 })]);
  const asked = {
    controllerId: during,
    name: 'load15',
    start: new Date(minute()),
    stop: new Date(minute() + 60_000),
    bucketMs: 1_000,
  } as const;
  await expect(store.query(asked)).rejects.toMatchObject({ code: 'metrics_unavailable' });
  await expect(store.summarize(asked.start, asked.stop)).rejects.toMatchObject({
    code: 'metrics_unavailable',
  });
  await victoria.start();
  const points = await poll(
    async () => {
      await victoria.flush();
      const found = await store.query(asked);
      return found.length > 0 && found;
    },
    { what: 'what waited has arrived' },
  );
  expect(points).toEqual([{ at: new Date(minute()), value: 7 }]);
  expect(await server.db.selectFrom('metric_outbox').selectAll().execute()).toEqual([]);
  await store.stop();
});

test('days past the retention are dropped whole, and their measurements not taken any more', async () => {
  const store = createStore('PostgreSQL');
  const repository = createMetricSamplesRepository(server.db);
  const id = createId();
  const now = server.clock.now();
  const old = new Date(now.getTime() - (retentionDays - 1) * day);
  await write(store, [
    createSample(id, old, { load15: 1 }),
    createSample(id, new Date(now.getTime() - (retentionDays + 1) * day), { load15: 1 }),
  ]);
  const count = async () =>
    (await server.db.selectFrom('metric_samples').select('at').where('controller_id', '=', id).execute())
      .length;
  expect(await count()).toBe(1);
  server.clock.advance(2 * day);
  await store.maintain();
  expect(await count()).toBe(0);
  const days = await repository.listDays();
  const today = server.clock.now().toISOString().slice(0, 10);
  expect(days).toContain(today);
  expect(
    days.every((each) => Date.parse(each) >= server.clock.now().getTime() - (retentionDays + 1) * day),
  ).toBe(true);
  // A day that is not there any more is made anew by whoever has something of it.
  await write(store, [createSample(id, new Date(server.clock.now().getTime() - 20 * day), { load15: 1 })]);
  expect(await count()).toBe(1);
});

test('two servers that begin a day at once both find it', async () => {
  const samples = [createSample(createId(), new Date(minute() - 10 * day), { load15: 1 })];
  await Promise.all(
    Array.from({ length: 8 }, () => createStore('PostgreSQL')).map((store) => write(store, samples)),
  );
  const rows = server.db.selectFrom('metric_samples').select('at');
  expect(await rows.where('controller_id', '=', samples[0]?.controllerId ?? '').execute()).toHaveLength(8);
});

describe('space by organization', () => {
  const write20Days = async (store: MetricsStore, controllerId: string, samples: number) => {
    const from = server.clock.now().getTime() - 20 * day;
    await write(
      store,
      Array.from({ length: samples }, (_, index) =>
        createSample(controllerId, new Date(from + (index / samples) * 20 * day), { load15: 1 }),
      ),
    );
  };

  test('what measurements take goes to each organization by its share, and of controllers that are gone to none', async () => {
    await sql`truncate metric_samples`.execute(server.db);
    const store = createStore('PostgreSQL');
    const owner = await server.createUser();
    const [large, small, none] = [
      await server.createOrganization(owner),
      await server.createOrganization(owner),
      await server.createOrganization(owner),
    ];
    const create = async (organizationId: string) =>
      (await createTestController(server, { organizationId })).id;
    expect(await store.measureSpace()).toEqual(new Map());
    await write20Days(store, await create(large), 4_500);
    await write20Days(store, await create(large), 1_500);
    await write20Days(store, await create(small), 2_000);
    await write20Days(store, createId(), 2_000);
    const { rows } = await sql<{ bytes: number }>`
      select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
      where inhparent = 'metric_samples'::regclass`.execute(server.db);
    const bytes = rows[0]?.bytes ?? 0;
    expect(await store.measureSpace()).toEqual(
      new Map([
        [large, Math.round(bytes * 0.6)],
        [small, Math.round(bytes * 0.2)],
      ]),
    );
    // Of a part of the blocks about the same, and the same each time.
    const repository = createMetricSamplesRepository(server.db);
    const sampled = await repository.measureSpace(60);
    expect(sampled.get(large)).not.toBe(Math.round(bytes * 0.6));
    expect((sampled.get(large) ?? 0) / bytes).toBeCloseTo(0.6, 0);
    expect(await repository.measureSpace(60)).toEqual(sampled);
    expect(sampled.has(none)).toBe(false);
  });

  test('VictoriaMetrics cannot tell it', async () => {
    expect(await createStore('VictoriaMetrics').measureSpace()).toBeUndefined();
  });
});

describe('packing', () => {
  const sizeOf = async (wanted: string) => {
    const name = `metric_samples_p${wanted.replaceAll('-', '')}`;
    const { rows } = await sql<{ table: number; index: number }>`
      select pg_relation_size(${name}::regclass)::int as "table", pg_indexes_size(${name}::regclass)::int as "index"`.execute(
      server.db,
    );
    return rows[0] ?? { table: 0, index: 0 };
  };
  /** As they come: a minute of all controllers after the other. */
  async function writeDay(store: MetricsStore, from: number): Promise<string[]> {
    const ids = Array.from({ length: 40 }, () => createId());
    const values = Object.fromEntries(metricNames.map((name) => [name, 1.5]));
    const samples = Array.from({ length: 400 * ids.length }, (_, index) =>
      createSample(
        ids[index % ids.length] ?? '',
        new Date(from + Math.floor(index / ids.length) * 60_000),
        values,
      ),
    );
    await write(store, samples);
    return ids;
  }

  test('measurements of a day that is over are packed while they can be read, and today is left as it is', async () => {
    const store = createStore('PostgreSQL');
    const repository = createMetricSamplesRepository(server.db);
    const today = Math.floor(server.clock.now().getTime() / day) * day;
    const over = new Date(today - 3 * day).toISOString().slice(0, 10);
    const [id = ''] = await writeDay(store, today - 3 * day);
    await writeDay(store, today);
    const [before, untouched] = [
      await sizeOf(over),
      await sizeOf(new Date(today).toISOString().slice(0, 10)),
    ];
    expect(await repository.listLooseDays()).toContain(over);

    const [points] = await Promise.all([query(store, id, 'load15', today - 3 * day, 400), store.maintain()]);
    expect(points).toHaveLength(400);
    const after = await sizeOf(over);
    expect(after.index).toBeLessThan(before.index * 0.75);
    expect(await query(store, id, 'load15', today - 3 * day, 400)).toHaveLength(400);
    expect(await repository.listLooseDays()).not.toContain(over);
    expect(await sizeOf(new Date(today).toISOString().slice(0, 10))).toEqual(untouched);
  });

  test('measurements of a day are packed also where a packing before was interrupted', async () => {
    const store = createStore('PostgreSQL');
    const repository = createMetricSamplesRepository(server.db);
    const today = Math.floor(server.clock.now().getTime() / day) * day;
    const over = new Date(today - 5 * day).toISOString().slice(0, 10);
    await writeDay(store, today - 5 * day);
    const { index } = await sizeOf(over);
    // As a server that was killed leaves it: the new index beside the old one, and of no use.
    const name = `metric_samples_p${over.replaceAll('-', '')}`;
    await sql`create index left_behind on ${sql.id(name)} (at)`.execute(server.db);
    await sql`update pg_index set indisvalid = false where indexrelid = 'left_behind'::regclass`.execute(
      server.db,
    );
    await repository.packDay(over);
    expect((await sizeOf(over)).index).toBeLessThan(index * 0.75);
  });
});
