import type { TestServer, TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AlertsFixture, createAlertsServer, createEmptyFleet } from './alerts.fixture.ts';

const megabyte = 1024 ** 2;
let server: TestServer;
let owner: TestUser;
let fixture: AlertsFixture;

beforeAll(async () => {
  ({ server, owner } = await createAlertsServer());
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ fixture } = await createEmptyFleet(server, owner));
});

/** As the counter of traffic writes it; undefined where a new month has begun. */
async function move(serialNumber: string, megabytes: number | undefined): Promise<void> {
  const { id, organization_id } = await server.db
    .selectFrom('controllers')
    .select(['id', 'organization_id'])
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
  await server.db.deleteFrom('month_traffic').where('controller_id', '=', id).execute();
  if (megabytes === undefined) return;
  const bytes = megabytes * megabyte;
  await server.db
    .insertInto('month_traffic')
    .values({ controller_id: id, organization_id, month: '2026-11-01', bytes })
    .execute();
}

async function budget(table: 'controllers' | 'groups', key: string, megabytes: number | null) {
  const bytes = megabytes === null ? null : megabytes * megabyte;
  const column = table === 'controllers' ? 'serial_number' : 'id';
  await server.db.updateTable(table).set({ traffic_budget: bytes }).where(column, '=', key).execute();
}

const fired = async () =>
  (await fixture.list()).map(
    ({ controller, kind, resolvedAt }) =>
      `${controller.serialNumber} ${kind}${resolvedAt === null ? '' : ' over'}`,
  );

it('an alert fires at 80 % of the nearest budget and at all of it, once each, and notifies', async () => {
  await fixture.rule({ members: [owner.id] });
  const group = await fixture.group('North');
  await fixture.controller('ONE', await fixture.group('Site', group));
  await budget('groups', group, 50);
  await move('ONE', 39);
  await fixture.pass(2);
  expect(await fired()).toEqual([]);
  await move('ONE', 40);
  await fixture.pass(3);
  expect(await fired()).toEqual(['ONE traffic_80']);
  await move('ONE', 51);
  await fixture.pass(3);
  expect(await fired()).toEqual(['ONE traffic_100', 'ONE traffic_80']);
  expect((await fixture.list())[0]).toMatchObject({
    offlineSince: null,
    traffic: { bytes: 51 * megabyte, budget: 50 * megabyte },
  });
  expect(await fixture.mails()).toEqual([
    'owner@example.com: Controller ONE: 80% of the traffic budget used – Heating',
    'owner@example.com: Controller ONE: 102% of the traffic budget used – Heating',
  ]);
});

it('a traffic alert is over with its month or its budget, silently, and fires again in the next', async () => {
  await fixture.rule({ members: [owner.id] });
  await fixture.controller('ONE');
  await budget('controllers', 'ONE', 10);
  await move('ONE', 9);
  await fixture.pass(3);
  await move('ONE', undefined);
  await fixture.pass(2);
  expect(await fired()).toEqual(['ONE traffic_80 over']);
  await move('ONE', 8);
  await fixture.pass(2);
  await budget('controllers', 'ONE', 20);
  await fixture.pass(2);
  await budget('controllers', 'ONE', null);
  await fixture.pass(2);
  expect(await fired()).toEqual(['ONE traffic_80 over', 'ONE traffic_80 over']);
  expect(await fixture.mails()).toHaveLength(2);
});

it('a controller that passes 80 and 100 % at once has one traffic alert, for the 100', async () => {
  await fixture.rule({ members: [owner.id] });
  await fixture.controller('ONE');
  await budget('controllers', 'ONE', 10);
  await move('ONE', 30);
  await fixture.pass(3);
  expect(await fired()).toEqual(['ONE traffic_100']);
});

it('a traffic alert without a rule is in the list and notifies nobody; a rule that is off keeps it out', async () => {
  const quiet = await fixture.group('Quiet');
  await fixture.controller('ONE');
  await fixture.controller('TWO', quiet);
  await fixture.rule({ group: quiet, enabled: false, members: [owner.id] });
  for (const serialNumber of ['ONE', 'TWO']) {
    await budget('controllers', serialNumber, 10);
    await move(serialNumber, 9);
  }
  await fixture.pass(3);
  expect(await fired()).toEqual(['ONE traffic_80']);
  expect(await fixture.mails()).toEqual([]);
});

it('a traffic alert stands beside one about the same controller being offline', async () => {
  await fixture.rule({ minutes: 1, members: [owner.id] });
  await fixture.controller('ONE');
  await budget('controllers', 'ONE', 10);
  await move('ONE', 9);
  await fixture.goOffline('ONE');
  await fixture.pass(4);
  expect((await fired()).sort()).toEqual(['ONE offline', 'ONE traffic_80']);
  await fixture.comeOnline('ONE');
  await fixture.pass(3);
  expect((await fired()).sort()).toEqual(['ONE offline over', 'ONE traffic_80']);
});
