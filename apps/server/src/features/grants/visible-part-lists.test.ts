import type { Alert, AlertRule, AuditEvent, FleetPresence, RouteName, TunnelView } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAuditLog } from '../../platform/audit.ts';
import { createId } from '../../platform/ids.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/**
 * What the lists of a whole organization show and count to somebody who has a part of it. There is one of everything at
 * each place of the tree.
 */

let server: TestServer;
let fixture: PartFixture;
/** An admin of Plant, with Hall under it. */
let user: TestUser;
/** A viewer of North, and an admin of Hall under it alone. */
let guard: TestUser;

const places = ['none', 'north', 'plant', 'hall', 'south'] as const;
type Place = (typeof places)[number];

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  user = await server.createUser();
  guard = await server.createUser();
  await fixture.grant(user, 'admin', { groupId: fixture.groups.plant });
  await fixture.grant(guard, 'viewer', { groupId: fixture.groups.north });
  await fixture.grant(guard, 'admin', { groupId: fixture.groups.hall });
});

const serialOf = (place: Place) => fixture.controllers[place].serialNumber;
const nameOf = (serialNumber: string) => serialNumber.replace(`${fixture.prefix}-`, '');
const call = (name: RouteName, as: TestUser, query: Record<string, string> = {}, more: object = {}) =>
  server.call(name, { as, params: { organizationId: fixture.organizationId }, query, ...more });

/** The names that all pages show together, one a page; each has to tell the same count. */
async function listPages<Row>(
  name: RouteName,
  as: TestUser,
  toSerial: (row: Row) => string,
  query: Record<string, string> = {},
): Promise<string[]> {
  const shown: string[] = [];
  let count = 1;
  for (let page = 1; page <= count; page++) {
    const { status, body } = await call(name, as, { ...query, page: String(page), page_size: '1' });
    expect(status).toBe(200);
    const answer = body as { count: number; results: Row[] };
    if (page > 1) expect(answer.count).toBe(count);
    count = answer.count;
    shown.push(...answer.results.map((row) => nameOf(toSerial(row))));
  }
  expect(shown).toHaveLength(count);
  return shown.sort();
}

it.each(['firing', 'resolved'] as const)('a part is what the %s alerts are of', async (state) => {
  const now = server.clock.now();
  for (const place of places) {
    for (const resolved_at of [null, now]) {
      const row = { organization_id: fixture.organizationId, controller_id: fixture.controllers[place].id };
      await server.db
        .insertInto('alerts')
        .values({
          ...{ ...row, rule_id: null, offline_since: now, fired_at: now, resolved_at },
          ...{ pending: null, notified_at: null },
        })
        .execute();
    }
  }
  const list = (as: TestUser, query: Record<string, string> = {}) =>
    listPages<Alert>('listAlerts', as, ({ controller }) => controller.serialNumber, { state, ...query });
  expect(await list(fixture.owner)).toEqual(['HALL', 'NONE', 'NORTH', 'PLANT', 'SOUTH']);
  expect(await list(user)).toEqual(['HALL', 'PLANT']);
  expect(await list(user, { serial_number: 'SOUTH' })).toEqual([]);
  // A viewer is shown no alerts.
  expect(await list(guard)).toEqual(['HALL']);
});

it('a part is what the alert rules are of', async () => {
  const now = server.clock.now();
  const times = { effective_from: now, created_at: now };
  for (const group_id of [null, ...Object.values(fixture.groups)]) {
    await server.db
      .insertInto('alert_rules')
      .values({
        ...{ id: createId(), organization_id: fixture.organizationId, group_id },
        ...{ enabled: true, minutes: 10, ...times },
      })
      .execute();
  }
  const list = async (as: TestUser) =>
    ((await call('listAlertRules', as)).body as AlertRule[]).map(({ group }) => group?.name ?? null);
  expect(await list(fixture.owner)).toEqual([null, 'Hall', 'North', 'Plant', 'South']);
  expect(await list(user)).toEqual(['Hall', 'Plant']);
  expect(await list(guard)).toEqual(['Hall']);
});

it.each(['live', 'ended'] as const)('a part is what the %s tunnels are of', async (state) => {
  const now = server.clock.now();
  const tunnel = { kind: 'http', port: null, address: '192.0.2.7', bytes_in: 1, bytes_out: 1 } as const;
  for (const place of places) {
    const at = { controller_id: fixture.controllers[place].id, serial_number: serialOf(place) };
    for (const end of [
      { ended_at: null, end_reason: null },
      { ended_at: now, end_reason: 'closed' },
    ] as const) {
      await server.db
        .insertInto('tunnel_records')
        .values({
          ...{ ...tunnel, ...at, ...end, id: createId(), organization_id: fixture.organizationId },
          ...{ user_id: fixture.owner.id, started_at: now, noted_at: now, ended_by: null },
        })
        .execute();
    }
  }
  const list = (as: TestUser) =>
    listPages<TunnelView>('listTunnels', as, ({ serialNumber }) => serialNumber, { state });
  expect(await list(fixture.owner)).toEqual(['HALL', 'NONE', 'NORTH', 'PLANT', 'SOUTH']);
  expect(await list(user)).toEqual(['HALL', 'PLANT']);
  expect(await list(guard)).toEqual(['HALL']);

  // Who opens tunnels here and ends them there sees addresses there.
  await fixture.grant(guard, 'member', { groupId: fixture.groups.south });
  const { results } = (await call('listTunnels', guard, { state })).body as { results: TunnelView[] };
  const addresses = results.map(({ serialNumber, address }) => [nameOf(serialNumber), address]);
  expect(Object.fromEntries(addresses)).toEqual({ HALL: '192.0.2.7', SOUTH: null });
});

it('a part is what the audit log tells of, as a list and as a file', async () => {
  const { record } = createAuditLog(server.db, server.clock);
  const by = { userId: fixture.owner.id, organizationId: fixture.organizationId, address: '192.0.2.7' };
  for (const place of places) {
    await record({ ...by, action: 'controller.updated', subject: serialOf(place) });
  }
  await record({ ...by, action: 'organization.updated', subject: 'Tree' });
  // A group may be named like a controller.
  await record({ ...by, action: 'group.updated', subject: serialOf('hall') });

  const list = (as: TestUser, query: Record<string, string> = {}) =>
    listPages<AuditEvent>('listAuditEvents', as, ({ action, subject }) => `${subject} ${action}`, query);
  const read = async (as: TestUser, query: Record<string, string> = {}) => {
    const { body } = await call('listAuditEvents', as, query, { headers: { accept: 'text/csv' } });
    const lines = String(body).trim().split('\r\n').slice(1);
    return lines.map((line) => line.split(',')).map((line) => `${nameOf(line[3] ?? '')} ${line[1]}`);
  };
  const inPart = ['HALL controller.updated', 'PLANT controller.updated'];
  expect(await list(fixture.owner)).toHaveLength(7);
  expect(await read(fixture.owner)).toHaveLength(7);
  expect(await list(user)).toEqual(inPart);
  expect((await read(user)).sort()).toEqual(inPart);
  expect(await list(user, { subject: 'SOUTH' })).toEqual([]);
  expect(await read(user, { subject: 'SOUTH' })).toEqual([]);
  expect(await list(guard)).toEqual(['HALL controller.updated']);
  expect(await read(guard)).toEqual(['HALL controller.updated']);
});

it('a part is what the presence of a fleet counts', async () => {
  const now = server.clock.now();
  const offline = [fixture.controllers.plant.id, fixture.controllers.south.id];
  await server.db.updateTable('controllers').set({ status: 'offline' }).where('id', 'in', offline).execute();
  const noted = { organization_id: fixture.organizationId, at: new Date(now.getTime() - 60_000) };
  await server.db
    .insertInto('fleet_presence')
    .values({ ...noted, online: 3, total: 5 })
    .execute();
  const body = {
    start: new Date(now.getTime() - 3600_000).toISOString(),
    stop: new Date(now.getTime() + 60_000).toISOString(),
  };
  const query = async (as: TestUser) =>
    ((await call('queryFleetPresence', as, {}, { body })).body as FleetPresence).map(
      ({ online, total }) => `${online} of ${total}`,
    );
  expect(await query(fixture.owner)).toEqual(['3 of 5']);
  expect(await query(user)).toEqual(['1 of 2']);
  expect(await query(guard)).toEqual(['2 of 3']);
});
