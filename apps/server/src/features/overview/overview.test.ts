import type { Overview } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { createAgentDirectory } from '../agent-updates/agent-directory.fixture.ts';
import { createFleet, type Fleet } from '../controllers/fleet.fixture.ts';
import { createPartFixture, type PartFixture } from '../grants/part.fixture.ts';

const read = async (server: TestServer, as: TestUser, organizationId: string): Promise<Overview> => {
  const answer = await server.call('getOverview', { as, params: { organizationId } });
  expect(answer.status).toBe(200);
  return answer.body as Overview;
};

describe('the overview of a large fleet', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await createFleet();
  });
  afterAll(() => fleet.server.close());

  it('adds up to the fleet, by status, by firmware and by root group', async () => {
    const overview = await read(fleet.server, fleet.user, fleet.organization);
    expect(overview).toMatchObject({
      count: fleet.size,
      countOnline: 1250,
      countOffline: 2500,
      countNever: 1250,
    });
    expect(overview.firmware).toHaveLength(10);
    expect(overview.otherFirmware).toMatchObject({ versions: 30, count: fleet.size - 10 * 125 });
    // Ten root groups and those in none: the tenth of the eleven is the last that is shown.
    expect([overview.groupCount, overview.groups.length]).toEqual([11, 10]);
    const offline = overview.groups.map(({ countOffline }) => countOffline);
    expect(offline).toEqual(offline.toSorted((one, other) => other - one));
  });

  it('names the controllers that were lost and added last, latest first, with their groups', async () => {
    const organizationId = await fleet.server.createOrganization(fleet.user);
    const id = createId();
    await fleet.server.db
      .insertInto('groups')
      .values({ id, organization_id: organizationId, parent_id: null, name: 'Hall', created_at: new Date() })
      .execute();
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));
    for (let number = 1; number <= 7; number += 1) {
      await createTestController(fleet.server, {
        organizationId,
        serialNumber: `OV-${number}`,
        groupId: number === 6 ? id : null,
        status: number === 7 ? 'online' : 'offline',
        lastSeenAt: at(number),
        activatedAt: at(100 - number),
      });
    }
    const { recentlyLost, recentlyAdded } = await read(fleet.server, fleet.user, organizationId);
    const serials = (rows: { serialNumber: string }[]) =>
      rows.map(({ serialNumber }) => serialNumber.slice(3));
    expect(serials(recentlyLost)).toEqual(['6', '5', '4', '3', '2']);
    expect(recentlyLost.map(({ group }) => group?.name)).toEqual([
      'Hall',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(serials(recentlyAdded)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('the overview of an organization without controllers is empty', async () => {
    const overview = await read(fleet.server, fleet.user, await fleet.server.createOrganization(fleet.user));
    expect(overview).toMatchObject({
      count: 0,
      attention: [],
      groups: [],
      firmware: [],
      recentlyLost: [],
      recentlyAdded: [],
    });
    expect(overview.presence).toEqual({ day: [], month: [] });
  });
});

describe('the overview of a tree', () => {
  let agent: Awaited<ReturnType<typeof createAgentDirectory>>;
  let server: TestServer;
  let fixture: PartFixture;
  let organizationId: string;

  beforeAll(async () => {
    agent = await createAgentDirectory('2.0.0');
    server = await createTestServer({ agentDirectory: agent.path });
    fixture = await createPartFixture(server);
    organizationId = fixture.organizationId;
    await spoil();
  });
  afterAll(async () => {
    await server?.close();
    await agent?.remove();
  });

  const set = (place: keyof PartFixture['controllers'], values: object) =>
    server.db
      .updateTable('controllers')
      .set(values)
      .where('id', '=', fixture.controllers[place].id)
      .execute();
  const fire = (
    place: keyof PartFixture['controllers'],
    kind: 'offline' | 'traffic_100',
    resolved_at: Date | null = null,
  ) =>
    server.db
      .insertInto('alerts')
      .values({
        ...{
          organization_id: organizationId,
          controller_id: fixture.controllers[place].id,
          rule_id: null,
          kind,
        },
        ...(kind === 'offline'
          ? { offline_since: new Date() }
          : { offline_since: null, bytes: 10, budget: 10 }),
        ...{ fired_at: new Date(), resolved_at, pending: null, notified_at: null },
      })
      .execute();

  /** Something of each kind, at more than one place. */
  async function spoil(): Promise<void> {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await set('none', { status: 'offline', last_seen_at: ago(61), agent_version: 'unknown' });
    await set('north', { status: 'offline', last_seen_at: ago(59), agent_version: '1.9.9' });
    await set('plant', { status: 'offline', last_seen_at: ago(3 * 24 * 60), agent_version: '1.9.9' });
    await set('hall', { agent_version: '2.0.0-rc.1' });
    await set('south', { status: 'never', last_seen_at: null, agent_version: '2.0.0' });
    // Not ours, whatever its version is.
    const { id } = await createTestController(server, { organizationId, status: 'never' });
    await server.db
      .updateTable('controllers')
      .set({ connection_kind: 'wiren-board', agent_version: '1.0.0' })
      .where('id', '=', id)
      .execute();
    for (const place of ['none', 'plant'] as const) await fire(place, 'offline');
    await fire('south', 'offline', new Date());
    await fire('hall', 'traffic_100');
    await server.db
      .insertInto('agent_updates')
      .values({
        controller_id: fixture.controllers.hall.id,
        id: createId(),
        status: 'failed',
        reason: 'refused',
        detail: null,
        ...{ from_version: '2.0.0-rc.1', to_version: '2.0.0', may_downgrade: false, requested_by: null },
        ...{
          is_automatic: true,
          created_at: new Date(),
          sent_at: null,
          tended_at: null,
          finished_at: new Date(),
        },
      })
      .execute();
  }

  const addUser = async (role: 'viewer' | 'member' | 'admin') => {
    const user = await server.createUser();
    await server.addMember(organizationId, user, role);
    return user;
  };
  const countsOf = ({ attention }: Overview) =>
    Object.fromEntries(attention.map(({ kind, count }) => [kind, count]));

  it('says what needs attention, the most urgent first', async () => {
    const overview = await read(server, fixture.owner, organizationId);
    expect(Object.entries(countsOf(overview))).toEqual([
      ['alert_offline', 2],
      ['alert_traffic_100', 1],
      ['lost', 2],
      ['update_failed', 1],
      ['agent_outdated', 3],
      ['never', 2],
    ]);
    const outdated = overview.attention.find(({ kind }) => kind === 'agent_outdated');
    expect(outdated).toMatchObject({
      query: { connection_kind: 'agent', agent: '1.9.9,2.0.0-rc.1' },
    });
    const lost = overview.attention.find(({ kind }) => kind === 'lost');
    expect(lost?.places).toHaveLength(2);
    expect(lost?.places).toContainEqual({ group: { id: fixture.groups.north, name: 'North' }, count: 1 });
    expect(lost?.places).toContainEqual({ group: null, count: 1 });
  });

  it.each(['owner', 'member of Plant'] as const)(
    'every count is that of the list that it leads to, also at each of its places, for the %s',
    async (who) => {
      const user = who === 'owner' ? fixture.owner : await server.createUser();
      if (who !== 'owner') await fixture.grant(user, 'member', { groupId: fixture.groups.plant });
      const overview = await read(server, user, organizationId);
      expect(overview.attention.length).toBeGreaterThan(3);
      const count = async (list: 'controllers' | 'alerts', query: Record<string, string>) => {
        const answer =
          list === 'alerts'
            ? await server.call('listAlerts', { as: user, params: { organizationId }, query })
            : await server.call('listControllers', {
                as: user,
                query: { ...query, organization_id: organizationId },
              });
        expect(answer.status).toBe(200);
        return (answer.body as { count: number }).count;
      };
      for (const line of overview.attention) {
        expect([line.kind, await count(line.list, line.query)]).toEqual([line.kind, line.count]);
        for (const { group, count: atPlace } of line.places) {
          if (group) expect(await count(line.list, { ...line.query, group_ids: group.id })).toBe(atPlace);
        }
      }
      for (const { group, countOffline } of overview.groups) {
        const at: Record<string, string> = group ? { group_ids: group.id } : { ungrouped: 'true' };
        expect(await count('controllers', { ...at, status: 'offline' })).toBe(countOffline);
      }
      for (const { firmwareVersion, count: ofVersion } of overview.firmware) {
        const of: Record<string, string> = firmwareVersion
          ? { firmware: firmwareVersion }
          : { firmware_known: 'false' };
        expect(await count('controllers', of)).toBe(ofVersion);
      }
    },
  );

  it('a part of the tree is all that its reader is shown of it', async () => {
    const user = await server.createUser();
    await fixture.grant(user, 'admin', { groupId: fixture.groups.plant });
    for (const [place, subject] of Object.entries(fixture.controllers)) {
      await server.db
        .insertInto('audit_events')
        .values({
          ...{ id: createId(), at: new Date(), action: 'controller.updated', user_id: fixture.owner.id },
          ...{ organization_id: organizationId, subject: subject.serialNumber, address: '', details: '{}' },
          ...{ last_at: null, fold_key: null },
        })
        .execute();
      await openTunnel(place as keyof PartFixture['controllers']);
    }
    const overview = await read(server, user, organizationId);
    expect(overview).toMatchObject({ count: 2, countOnline: 1, countOffline: 1, countNever: 0 });
    expect(countsOf(overview)).toEqual({
      alert_offline: 1,
      alert_traffic_100: 1,
      lost: 1,
      update_failed: 1,
      agent_outdated: 2,
    });
    expect(overview.groups).toMatchObject([{ group: { name: 'North' }, count: 2 }]);
    expect(overview.presence).toBeUndefined();
    const { hall, plant } = fixture.controllers;
    const own = [hall.serialNumber, plant.serialNumber].sort();
    expect(overview.changes?.map(({ subject }) => subject).sort()).toEqual(own);
    expect(overview.connections?.count).toBe(2);
    expect(overview.connections?.results.map(({ serialNumber }) => serialNumber).sort()).toEqual(own);
    const whole = await read(server, fixture.owner, organizationId);
    expect(whole.connections).toMatchObject({ count: 5 });
    expect(whole.changes?.length).toBeGreaterThan(4);
  });

  const openTunnel = (place: keyof PartFixture['controllers']) => {
    const { id, serialNumber } = fixture.controllers[place];
    return server.db
      .insertInto('tunnel_records')
      .values({
        ...{ id: createId(), organization_id: organizationId, user_id: fixture.owner.id, controller_id: id },
        kind: 'terminal',
        ...{ serial_number: serialNumber, port: null, address: '192.0.2.1' },
        ...{ started_at: new Date(), noted_at: new Date(), ended_at: null, end_reason: null, ended_by: null },
        ...{ bytes_in: 0, bytes_out: 0 },
      })
      .execute();
  };

  it.each([
    ['viewer', []],
    ['member', ['alert_offline', 'connections']],
    ['admin', ['alert_offline', 'connections', 'changes']],
  ] as const)('leaves out what the role of a %s does not show', async (role, shown) => {
    const overview = await read(server, await addUser(role), organizationId);
    const parts = [
      ...(overview.attention.some(({ kind }) => kind === 'alert_offline') ? ['alert_offline'] : []),
      ...(['connections', 'changes'] as const).filter((part) => overview[part] !== undefined),
    ];
    expect(parts).toEqual(shown);
    expect(countsOf(overview)).toMatchObject({ lost: 2, never: 2 });
  });

  it('leaves out what the scopes of a token do not show', async () => {
    const body = { name: 'reader', scopes: ['controllers.read'] };
    const made = await server.call('createToken', { as: fixture.owner, body });
    expect(made.status).toBe(201);
    const { token } = made.body as { token: string };
    const answer = await server.call('getOverview', {
      headers: { authorization: `Bearer ${token}` },
      params: { organizationId },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).not.toContain('connections');
    expect(Object.keys(answer.body as object)).not.toContain('changes');
    expect(countsOf(answer.body as Overview)).not.toHaveProperty('alert_offline');
  });
});
