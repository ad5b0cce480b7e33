import type { FleetMetrics, FleetPresence, WorstControllers } from '@pult/contract';
import { poll, startVictoriaMetrics, type VictoriaMetrics } from '@pult/testkit';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricNames } from '../../devices/index.ts';
import { createMetricSamplesRepository, dayOf } from '../metrics/metric-samples.repository.ts';
import { formatSamples } from '../metrics/victoria-client.ts';

const minute = 60_000;
const part = 5 * minute;

/** A server with a store, and what its tests ask of it. */
function createFleet(server: TestServer, first: TestUser, victoria?: VictoriaMetrics) {
  let owner = first;
  const runJob = async (name: string) => {
    const job = server.server.jobs.find((each) => each.name === name);
    if (!job || !('schedule' in job)) throw new Error(`there is no job ${name}`);
    await job.run();
  };
  const now = () => server.clock.now().getTime();
  const period = (minutes: number) => ({
    start: new Date(now() - minutes * minute).toISOString(),
    stop: server.clock.now().toISOString(),
  });
  const post = async (
    name: 'queryFleetMetrics' | 'queryFleetPresence',
    organizationId: string,
    body: object,
  ) => {
    const answer = await server.call(name, { as: owner, params: { organizationId }, body });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  return {
    runJob,
    now,
    /** Later; whoever was logged in then no longer is. */
    async advance(organizationId: string, milliseconds: number) {
      server.clock.advance(milliseconds);
      owner = await server.createUser();
      await server.addMember(organizationId, owner, 'viewer');
    },
    /** Into the store as it is, at a time. */
    async measure(organizationId: string, controllerId: string, at: number, temperature: number) {
      const sample = {
        controllerId,
        organizationId,
        serialNumber: 'SN',
        at: new Date(at),
        values: { temperature },
      };
      if (victoria) {
        await fetch(`${victoria.url}/api/v1/import/prometheus`, {
          method: 'POST',
          body: formatSamples([sample]),
        });
        await victoria.flush();
        return;
      }
      const repository = createMetricSamplesRepository(server.db);
      await repository.createDay(dayOf(sample.at));
      await server.db.transaction().execute((transaction) => repository.insertSamples(transaction, [sample]));
    },
    metrics: (organizationId: string, minutes = 60, name = 'temperature') =>
      post('queryFleetMetrics', organizationId, { name, ...period(minutes) }) as Promise<FleetMetrics>,
    presence: (organizationId: string, minutes = 60) =>
      post('queryFleetPresence', organizationId, period(minutes)) as Promise<FleetPresence>,
    async worst(organizationId: string, name = 'temperature') {
      const query = { name };
      const answer = await server.call('listWorstControllers', {
        as: owner,
        params: { organizationId },
        query,
      });
      return { status: answer.status, body: answer.body as WorstControllers };
    },
  };
}

describe.each(['PostgreSQL', 'VictoriaMetrics'] as const)('a fleet measured in %s', (kind) => {
  let victoria: VictoriaMetrics | undefined;
  let server: TestServer;
  let owner: TestUser;
  let fleet: ReturnType<typeof createFleet>;
  beforeAll(async () => {
    victoria = kind === 'VictoriaMetrics' ? await startVictoriaMetrics() : undefined;
    server = await createTestServer(victoria ? { environment: { VICTORIAMETRICS_URL: victoria.url } } : {});
    owner = await server.createUser();
    fleet = createFleet(server, owner, victoria);
  });
  afterAll(async () => {
    await server?.close();
    await victoria?.stop();
  });

  /** An organization whose controllers have been there for long. */
  async function createOrganizationOf(count: number) {
    const organizationId = await server.createOrganization(owner);
    await fleet.advance(organizationId, 0);
    const controllers = [];
    for (let number = 0; number < count; number++) {
      controllers.push(await createTestController(server, { organizationId }));
    }
    await server.db
      .updateTable('controllers')
      .set({ activated_at: new Date(fleet.now() - 24 * 3600_000) })
      .execute();
    return { organizationId, controllers };
  }

  test('a fleet is told by its median and extremes, up to now, and again with what came late', async () => {
    const { organizationId, controllers } = await createOrganizationOf(3);
    const begin = Math.floor(fleet.now() / part) * part - part;
    for (const [index, { id }] of controllers.entries()) {
      await fleet.measure(organizationId, id, begin + index * minute, 40 + index * 10);
    }
    await fleet.runJob('summarize-fleets');
    const first = {
      timestamp: new Date(begin).toISOString(),
      controllers: 3,
      lowest: 40,
      median: 50,
      highest: 60,
    };
    expect((await fleet.metrics(organizationId)).slice(0, 1)).toEqual([first]);
    expect(await fleet.metrics(organizationId, 60, 'load15')).toEqual([]);

    const [late, { id } = { id: '' }] = [begin - 6 * part, controllers[0]];
    await fleet.measure(organizationId, id, late, 20);
    await fleet.measure(organizationId, id, begin + 2 * minute, 70);
    await fleet.runJob('summarize-fleets');
    expect(await fleet.metrics(organizationId)).not.toContainEqual(expect.objectContaining({ lowest: 20 }));
    await fleet.advance(organizationId, 3 * 3600_000);
    await fleet.runJob('summarize-fleets');
    const later = await fleet.metrics(organizationId, 300);
    expect(later).toContainEqual(
      expect.objectContaining({ timestamp: new Date(late).toISOString(), lowest: 20 }),
    );
    expect(later).toContainEqual({ ...first, lowest: 50, median: 55, highest: 60 });
  });

  test('names its worst controllers of now, and no released one', async () => {
    const { organizationId, controllers } = await createOrganizationOf(12);
    for (const [index, { id }] of controllers.entries()) {
      await fleet.measure(organizationId, id, fleet.now() - minute, index);
    }
    const { body } = await fleet.worst(organizationId);
    expect(body.map(({ value }) => value)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(body[0]).toMatchObject({ serialNumber: controllers[11]?.serialNumber, description: '' });
    const { id: gone } = controllers[11] ?? { id: '' };
    await server.db.deleteFrom('controllers').where('id', '=', gone).execute();
    expect((await fleet.worst(organizationId)).body.map(({ value }) => value)).not.toContain(11);
    await fleet.advance(organizationId, 20 * minute);
    expect((await fleet.worst(organizationId)).body).toEqual([]);
  });

  test('a controller is as bad as what it has least of, where little is bad', async () => {
    const { organizationId, controllers } = await createOrganizationOf(2);
    const at = new Date(fleet.now() - minute);
    for (const [index, { id: controllerId }] of controllers.entries()) {
      const values = Object.fromEntries(metricNames.map((name) => [name, index + 1]));
      const sample = { controllerId, organizationId, serialNumber: 'SN', at, values };
      if (victoria) {
        await fetch(`${victoria.url}/api/v1/import/prometheus`, {
          method: 'POST',
          body: formatSamples([sample]),
        });
      } else {
        const repository = createMetricSamplesRepository(server.db);
        await repository.createDay(dayOf(at));
        await server.db
          .transaction()
          .execute((transaction) => repository.insertSamples(transaction, [sample]));
      }
    }
    await victoria?.flush();
    const first = async (name: string) => (await fleet.worst(organizationId, name)).body[0]?.value;
    for (const name of ['load15', 'cpu_usage', 'temperature'])
      expect([name, await first(name)]).toEqual([name, 2]);
    for (const name of ['mem_available', 'disk_free_root', 'disk_free_data', 'uptime']) {
      expect([name, await first(name)]).toEqual([name, 1]);
    }
  });
});

describe('of any store', () => {
  let server: TestServer;
  let owner: TestUser;
  let fleet: ReturnType<typeof createFleet>;
  beforeAll(async () => {
    server = await createTestServer();
    owner = await server.createUser();
    fleet = createFleet(server, owner);
  });
  afterAll(() => server?.close());

  test('online controllers are counted every minute; the fewest of a part are told, and a loss is never averaged away', async () => {
    const organizationId = await server.createOrganization(owner);
    for (const status of ['online', 'online', 'offline'] as const) {
      const { id } = await createTestController(server, { organizationId });
      await server.db.updateTable('controllers').set({ status }).where('id', '=', id).execute();
    }
    await fleet.runJob('summarize-fleets');
    server.clock.advance(minute);
    const before = await fleet.presence(organizationId);
    expect(before).toMatchObject([{ online: 2, total: 3 }]);

    await server.db
      .updateTable('controllers')
      .set({ status: 'offline' })
      .where('organization_id', '=', organizationId)
      .execute();
    await fleet.runJob('summarize-fleets');
    server.clock.advance(minute);
    expect((await fleet.presence(organizationId)).map(({ online }) => online)).toEqual([2, 0]);
    // In parts of two hours the two are one.
    expect((await fleet.presence(organizationId, 30 * 24 * 60)).at(-1)).toMatchObject({
      online: 0,
      total: 3,
    });
  });

  test('what is past the retention goes', async () => {
    const organizationId = await server.createOrganization(owner);
    const { id } = await createTestController(server, { organizationId });
    await server.db
      .updateTable('controllers')
      .set({ activated_at: new Date(0) })
      .where('id', '=', id)
      .execute();
    await fleet.measure(organizationId, id, fleet.now() - part, 50);
    await fleet.runJob('summarize-fleets');
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from fleet_metrics) + (select count(*) from fleet_presence)
          + (select count(*) from fleet_metric_passes) as count`.execute(server.db);
      return Number(rows[0]?.count);
    };
    expect(await count()).toBeGreaterThan(2);
    server.clock.advance(31 * 24 * 3600_000);
    await fleet.runJob('forget-fleet-figures');
    expect(await count()).toBe(0);
  });

  test('several servers that sum up at once leave one figure of each part', async () => {
    const organizationId = await server.createOrganization(owner);
    await fleet.advance(organizationId, 0);
    const { id } = await createTestController(server, { organizationId });
    await fleet.measure(organizationId, id, fleet.now() + 1000, 50);
    await Promise.all(Array.from({ length: 6 }, () => fleet.runJob('summarize-fleets')));
    server.clock.advance(minute);
    expect(await fleet.metrics(organizationId)).toMatchObject([{ controllers: 1, median: 50 }]);
    expect(await fleet.presence(organizationId)).toHaveLength(1);
  });

  test('a period is answered in at most 500 points, whatever it is', async () => {
    const owner = await server.createUser();
    const organizationId = await server.createOrganization(owner);
    const asked = { start: '0001-01-01T00:00:00Z', stop: '9999-12-31T23:59:59Z' };
    for (const name of ['queryFleetMetrics', 'queryFleetPresence'] as const) {
      const body = name === 'queryFleetMetrics' ? { ...asked, name: 'load15' } : asked;
      const answer = await server.call(name, { as: owner, params: { organizationId }, body });
      expect(answer).toMatchObject({ status: 200, body: [] });
      const reversed = { ...body, start: asked.stop, stop: asked.start };
      const refused = await server.call(name, { as: owner, params: { organizationId }, body: reversed });
      expect([refused.status, Object.keys(refused.body as object)]).toEqual([400, ['stop']]);
    }
  });
});

test('a store that is down leaves the chart of what was summed up, and says why nothing is worst', async () => {
  const server = await createTestServer({ environment: { VICTORIAMETRICS_URL: 'http://127.0.0.1:1' } });
  const owner = await server.createUser();
  const organizationId = await server.createOrganization(owner);
  const fleet = createFleet(server, owner);
  await createTestController(server, { organizationId });
  await fleet.runJob('summarize-fleets');
  server.clock.advance(minute);
  const metrics = await fleet.metrics(organizationId);
  const presence = await poll(() => fleet.presence(organizationId), { what: 'presence' });
  const worst = await fleet.worst(organizationId);
  await server.close();
  expect([metrics, presence.length]).toEqual([[], 1]);
  expect(worst).toMatchObject({ status: 503, body: { code: 'metrics_unavailable' } });
});
