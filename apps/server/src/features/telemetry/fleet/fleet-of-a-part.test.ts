import type { FleetMetrics, RouteName, WorstControllers } from '@pult/contract';
import { startVictoriaMetrics, type VictoriaMetrics } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPartFixture, type PartFixture } from '../../grants/part.fixture.ts';
import { createMetricSamplesRepository, dayOf } from '../metrics/metric-samples.repository.ts';
import { formatSamples } from '../metrics/victoria-client.ts';

/** Each place of the tree has a figure of its own, so that one of elsewhere is known by it. */
const values = { none: 10, north: 20, plant: 30, hall: 40, south: 90 };

describe.each(['PostgreSQL', 'VictoriaMetrics'] as const)('somebody with a part of a fleet in %s', (kind) => {
  let victoria: VictoriaMetrics | undefined;
  let server: TestServer;
  let fixture: PartFixture;
  let now: number;
  /** A member of Plant, with Hall under it. */
  let user: TestUser;

  beforeAll(async () => {
    victoria = kind === 'VictoriaMetrics' ? await startVictoriaMetrics() : undefined;
    server = await createTestServer(victoria ? { environment: { VICTORIAMETRICS_URL: victoria.url } } : {});
    fixture = await createPartFixture(server);
    user = await server.createUser();
    await fixture.grant(user, 'member', { groupId: fixture.groups.plant });
    now = server.clock.now().getTime();
    // What a controller measured before it was activated is not shown.
    const activated_at = new Date(now - 24 * 3600_000);
    await server.db.updateTable('controllers').set({ activated_at }).execute();
    await measure();
  });
  afterAll(async () => {
    await server?.close();
    await victoria?.stop();
  });

  async function measure(): Promise<void> {
    const at = new Date(now - 60_000);
    const samples = Object.entries(values).map(([place, temperature]) => {
      const { id: controllerId, serialNumber } = fixture.controllers[place as keyof typeof values];
      const of = { controllerId, serialNumber, organizationId: fixture.organizationId };
      return { ...of, at, values: { temperature } };
    });
    if (victoria) {
      const url = `${victoria.url}/api/v1/import/prometheus`;
      await fetch(url, { method: 'POST', body: formatSamples(samples) });
      await victoria.flush();
    } else {
      const repository = createMetricSamplesRepository(server.db);
      await repository.createDay(dayOf(at));
      await server.db.transaction().execute((transaction) => repository.insertSamples(transaction, samples));
    }
    // What is summed up is of the whole organization.
    const summed = { organization_id: fixture.organizationId, at, name: 'temperature' } as const;
    await server.db
      .insertInto('fleet_metrics')
      .values({ ...summed, controllers: 5, lowest: 10, median: 30, highest: 90 })
      .execute();
  }

  const call = async (name: RouteName, as: TestUser, options: object) => {
    const answer = await server.call(name, {
      ...{ as, params: { organizationId: fixture.organizationId } },
      ...options,
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  test('somebody with a part of a fleet is told its median and extremes', async () => {
    const body = {
      name: 'temperature',
      start: new Date(now - 3600_000).toISOString(),
      stop: new Date(now + 60_000).toISOString(),
    };
    const query = async (as: TestUser) => (await call('queryFleetMetrics', as, { body })) as FleetMetrics;
    expect(await query(fixture.owner)).toMatchObject([{ controllers: 5, lowest: 10, highest: 90 }]);
    expect(await query(user)).toMatchObject([{ controllers: 2, lowest: 30, median: 35, highest: 40 }]);
  });

  test('somebody with a part of a fleet is told the worst of it', async () => {
    const list = async (as: TestUser) => {
      const found = await call('listWorstControllers', as, { query: { name: 'temperature' } });
      return (found as WorstControllers).map(({ serialNumber, value }) => [serialNumber, value]);
    };
    expect(await list(fixture.owner)).toHaveLength(5);
    expect(await list(user)).toEqual([
      [fixture.controllers.hall.serialNumber, 40],
      [fixture.controllers.plant.serialNumber, 30],
    ]);
  });
});
