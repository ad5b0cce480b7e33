import { randomBytes } from 'node:crypto';
import type { Controller, ControllerTraffic } from '@pult/contract';
import { poll } from '@pult/testkit';
import { createTestController } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTunnelFixture, startUpstream, type TunnelFixture } from '../tunnels/tunnel.fixture.ts';
import { createTrafficRepository, type TrafficRepository } from './traffic.repository.ts';

const nothing = { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 0 };
const megabyte = 1_000_000;

let fixture: TunnelFixture;
let repository: TrafficRepository;
beforeAll(async () => {
  fixture = await createTunnelFixture({ timing: { trafficIntervalMs: 20 } });
  repository = createTrafficRepository(fixture.server.db);
});
afterAll(() => fixture.close());

async function read(serialNumber: string, month?: string): Promise<ControllerTraffic> {
  const { server, owner } = fixture;
  const query: Record<string, string> = month === undefined ? {} : { month };
  const answer = await server.call('getControllerTraffic', { as: owner, params: { serialNumber }, query });
  expect(answer.status).toBe(200);
  return answer.body as ControllerTraffic;
}

async function readController(serialNumber: string): Promise<Controller> {
  const { server, owner } = fixture;
  return (await server.call('getController', { as: owner, params: { serialNumber } })).body as Controller;
}

describe('traffic of a linked device', () => {
  it('the traffic of a linked device is shown under today, by what it was for, and as the sum of the month', async () => {
    const upstream = await startUpstream((_request, response) => response.end(randomBytes(100_000)));
    const device = await fixture.addDevice('TRAFFIC-1', { endpoints: { http: upstream.port } });
    const browser = await fixture.openBrowser(device);
    await (await browser.request(device.origin)).text();
    const found = await poll(
      async () => {
        const traffic = await read(device.serialNumber);
        return (traffic.days[0]?.web ?? 0) >= 100_000 && traffic;
      },
      { what: 'the page is counted' },
    );
    const now = fixture.server.clock.now().toISOString();
    expect(found).toMatchObject({ month: now.slice(0, 7), budget: null });
    expect(found.days.map(({ day }) => day)).toEqual([now.slice(0, 10)]);
    const { web = 0, terminal, keepalive = 0 } = found.days[0] ?? {};
    expect(web).toBeLessThan(110_000);
    expect(terminal).toBe(0);
    expect(keepalive).toBeGreaterThan(0);
    const { monthTraffic } = await readController(device.serialNumber);
    expect(monthTraffic).toBeGreaterThanOrEqual(found.total);
    upstream.close();
  });

  it('a page that went compressed is counted as it went over the line, and arrives as it was', async () => {
    const page = 'a page that repeats itself\n'.repeat(10_000);
    const upstream = await startUpstream((_request, response) => response.end(page));
    const endpoints = { http: upstream.port };
    const device = await fixture.addDevice('TRAFFIC-2', { endpoints, handlers: { isSaving: () => true } });
    const browser = await fixture.openBrowser(device);
    expect(await (await browser.request(device.origin)).text()).toBe(page);
    const found = await poll(
      async () => {
        const traffic = await read(device.serialNumber);
        return (traffic.days[0]?.web ?? 0) > 3_000 && traffic;
      },
      { what: 'the page is counted' },
    );
    expect(found.total).toBeLessThan(page.length / 10);
    upstream.close();
  });
});

it('a device that is to save traffic is told at once to measure seldom, and by whom stands in the audit log', async () => {
  const { server, owner, organization } = fixture;
  const { serialNumber, linked } = await fixture.addDevice('SAVER-1');
  const intervals = () => linked.states.map(({ metricsIntervalSeconds }) => metricsIntervalSeconds);
  const set = (enabled: boolean) =>
    server.call('setTrafficSaver', { as: owner, params: { serialNumber }, body: { enabled } });
  await poll(() => intervals().length > 0, { what: 'the first state' });
  expect((await read(serialNumber)).isSaving).toBe(false);
  expect((await set(true)).status).toBe(204);
  await poll(() => intervals().at(-1) === 240, { what: 'the device is told to save' });
  expect(linked.states.at(-1)?.isSaving).toBe(true);
  expect((await read(serialNumber)).isSaving).toBe(true);
  await set(false);
  await poll(() => intervals().at(-1) === 60, { what: 'the device is told to go on as before' });
  expect(linked.states.at(-1)?.isSaving).toBe(false);
  const { body } = await server.call('listAuditEvents', {
    as: owner,
    params: { organizationId: organization },
    query: { subject: serialNumber, action: 'traffic_saver.enabled,traffic_saver.disabled' },
  });
  expect((body as { count: number }).count).toBe(2);
});

describe('traffic of a controller', () => {
  let id: string;
  let serialNumber: string;
  let enrolmentId: string;
  beforeEach(async () => {
    const { server, organization: organizationId } = fixture;
    ({ id, serialNumber, enrolmentId } = await createTestController(server, { organizationId }));
  });

  const add = (at: string, changes: Partial<typeof nothing>) =>
    repository.add(new Map([[enrolmentId, { ...nothing, ...changes }]]), new Date(at));

  it('traffic adds up by days of UTC and is read month by month', async () => {
    await add('2026-10-31T23:59:59Z', { web: 1 });
    await add('2026-11-01T00:00:00Z', { web: 2, terminal: 3 });
    await add('2026-11-01T12:00:00Z', { web: 10, keepalive: 5 });
    await add('2026-11-30T23:59:59Z', { telemetry: 7, diagnostics: 8 });
    expect(await read(serialNumber, '2026-11')).toMatchObject({
      month: '2026-11',
      days: [
        { ...nothing, day: '2026-11-01', web: 12, terminal: 3, keepalive: 5 },
        { ...nothing, day: '2026-11-30', telemetry: 7, diagnostics: 8 },
      ],
      total: 35,
    });
    expect((await read(serialNumber, '2026-10')).days).toEqual([{ ...nothing, day: '2026-10-31', web: 1 }]);
    expect(await read(serialNumber, '2026-12')).toMatchObject({ days: [], total: 0 });
  });

  it('traffic of what is no month is refused', async () => {
    const { server, owner } = fixture;
    for (const month of ['2026-13', '2026', '1999-01', "2026-01'"]) {
      const params = { serialNumber };
      const answer = await server.call('getControllerTraffic', { as: owner, params, query: { month } });
      expect(answer.status).toBe(400);
    }
  });

  it('traffic begins anew in the list with each month', async () => {
    await add('2026-10-31T23:59:59Z', { web: 100 });
    await add('2026-11-01T00:00:00Z', { web: 2 });
    await add('2026-11-02T00:00:00Z', { terminal: 3 });
    expect((await readController(serialNumber)).monthTraffic).toBe(5);
    await repository.forgetMonthsBefore(new Date('2026-12-01T00:00:01Z'));
    expect((await readController(serialNumber)).monthTraffic).toBe(0);
  });

  it('traffic of a device that is no controller is not kept', async () => {
    const stranger = '01890a5d-ac96-774b-bcce-b302099a0000';
    const batch = new Map([
      [stranger, { ...nothing, web: 1 }],
      [enrolmentId, { ...nothing, web: 2 }],
    ]);
    await repository.add(batch, new Date('2026-11-05T00:00:00Z'));
    expect((await read(serialNumber, '2026-11')).total).toBe(2);
  });

  it('old traffic is forgotten by day', async () => {
    await add('2026-01-01T00:00:00Z', { web: 1 });
    await add('2026-01-02T00:00:00Z', { web: 2 });
    await repository.forgetDaysBefore(new Date('2026-01-02T12:00:00Z'));
    expect((await read(serialNumber, '2026-01')).total).toBe(2);
  });

  it('traffic goes with the controller', async () => {
    await add('2026-11-01T00:00:00Z', { web: 2 });
    const { db } = fixture.server;
    await db.deleteFrom('controllers').where('serial_number', '=', serialNumber).execute();
    const rows = db.selectFrom('traffic_days').select('web').where('controller_id', '=', id);
    expect(await rows.execute()).toEqual([]);
  });
});

describe('the budget of a controller', () => {
  async function createGroups(): Promise<{ outer: string; inner: string }> {
    const { server, owner, organization } = fixture;
    const create = async (name: string, parent: string | null) => {
      const body = { name: `${name} ${Math.random()}`, parent, organization };
      const answer = await server.call('createGroup', { as: owner, body });
      return (answer.body as { id: string }).id;
    };
    const outer = await create('outer', null);
    return { outer, inner: await create('inner', outer) };
  }

  async function setBudget(of: { serialNumber: string } | { groupId: string }, bytes: number | null) {
    const name = 'groupId' in of ? 'setGroupTrafficBudget' : 'setControllerTrafficBudget';
    const { server, owner } = fixture;
    const answer = await server.call(name, { as: owner, params: of, body: { bytes } });
    return answer.status;
  }

  it('the budget that counts is the controller’s own, else that of the nearest group that has one', async () => {
    const { server, organization: organizationId } = fixture;
    const { outer, inner } = await createGroups();
    const { serialNumber } = await createTestController(server, { organizationId, groupId: inner });
    const budget = async () => (await read(serialNumber)).budget;
    expect(await budget()).toBeNull();
    expect(await setBudget({ groupId: outer }, 100 * megabyte)).toBe(204);
    expect(await budget()).toMatchObject({ bytes: 100 * megabyte, group: { id: outer } });
    await setBudget({ groupId: inner }, 50 * megabyte);
    expect(await budget()).toMatchObject({ bytes: 50 * megabyte, group: { id: inner } });
    await setBudget({ serialNumber }, 20 * megabyte);
    expect(await budget()).toEqual({ bytes: 20 * megabyte, group: null });
    await setBudget({ serialNumber }, null);
    await setBudget({ groupId: inner }, null);
    expect(await budget()).toMatchObject({ bytes: 100 * megabyte, group: { id: outer } });
  });

  it('the budget of a group is told with what counts without it', async () => {
    const { server, owner } = fixture;
    const { outer, inner } = await createGroups();
    await setBudget({ groupId: outer }, 100 * megabyte);
    await setBudget({ groupId: inner }, 30 * megabyte);
    const get = async (groupId: string) =>
      (await server.call('getGroupTrafficBudget', { as: owner, params: { groupId } })).body;
    expect(await get(inner)).toMatchObject({
      bytes: 30 * megabyte,
      inherited: { bytes: 100 * megabyte, group: { id: outer } },
    });
    expect(await get(outer)).toEqual({ bytes: 100 * megabyte, inherited: null });
  });

  it('the budget comes back with a group that was deleted', async () => {
    const { server, owner } = fixture;
    const { inner: groupId } = await createGroups();
    await setBudget({ groupId }, 30 * megabyte);
    await server.call('deleteGroup', { as: owner, params: { groupId } });
    await server.call('restoreGroup', { as: owner, params: { groupId } });
    const { body } = await server.call('getGroupTrafficBudget', { as: owner, params: { groupId } });
    expect(body).toMatchObject({ bytes: 30 * megabyte });
  });

  it('a budget that is too small, too large or no whole number is refused', async () => {
    const { server, organization: organizationId } = fixture;
    const { serialNumber } = await createTestController(server, { organizationId });
    for (const bytes of [0, -1, megabyte - 1, 10 ** 13 + 1, 1.5 * megabyte + 0.5]) {
      expect(await setBudget({ serialNumber }, bytes)).toBe(400);
    }
  });

  it('a change of a budget is in the audit log', async () => {
    const { server, owner, organization, organization: organizationId } = fixture;
    const { serialNumber } = await createTestController(server, { organizationId });
    await setBudget({ serialNumber }, 20 * megabyte);
    await setBudget({ serialNumber }, null);
    const answer = await server.call('listAuditEvents', {
      as: owner,
      params: { organizationId: organization },
      query: { action: 'controller.traffic_budget_set' },
    });
    const { results } = answer.body as { results: { subject: string; details: object }[] };
    expect(results.filter(({ subject }) => subject === serialNumber).map(({ details }) => details)).toEqual([
      {},
      { budget: 20 * megabyte },
    ]);
  });
});
