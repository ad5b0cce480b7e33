import { limits, type OrganizationEvent } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPresenceRepository } from '../devices/presence.repository.ts';
import { createGroupFixture, type GroupFixture } from './group.fixture.ts';

let server: TestServer;
let fixture: GroupFixture;
let admin: TestUser;
let organization: string;
let group: string;
let serialNumbers: [string, string, string];
let fixtures = 0;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.createUser();
  fixture = createGroupFixture(server, () => admin);
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(admin, 'Fleet');
  group = await fixture.createId(organization, 'group');
  fixtures += 1;
  serialNumbers = [`S${fixtures}-A`, `S${fixtures}-B`, `S${fixtures}-C`];
  await fixture.addControllers(organization, serialNumbers);
});

const inGroup = async (id: string | null = group) =>
  Object.entries(await fixture.groupsOf(organization))
    .filter(([, each]) => each === id)
    .map(([serialNumber]) => serialNumber)
    .sort();

describe('controllers', () => {
  it('controllers are put into a group and out of it by their serial numbers, in either case, named twice or not', async () => {
    const [a, b, c] = serialNumbers;
    expect(await fixture.attach(group, { controllers: [a.toLowerCase(), b, b] })).toMatchObject({
      status: 200,
      body: { count: 2 },
    });
    expect(await inGroup()).toEqual([a, b]);
    expect(await fixture.attach(group, { controllers: [b, c] })).toMatchObject({ body: { count: 2 } });
    expect(await fixture.detach({ controllers: [a, c] })).toMatchObject({ status: 200, body: { count: 2 } });
    expect(await inGroup()).toEqual([b]);
  });

  it('controllers are put into a group and out of it by the list’s filter, with no serial number sent', async () => {
    const [a, b, c] = serialNumbers;
    expect(await fixture.attach(group, { filter: { serial_number: `S${fixtures}-` } })).toMatchObject({
      status: 200,
      body: { count: 3 },
    });
    const filter = { organization_id: organization, group_ids: group, search: '-b' };
    expect(await fixture.detach({ filter })).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await inGroup()).toEqual([a, c]);
    expect(await fixture.attach(group, { filter: { ungrouped: true } })).toMatchObject({
      body: { count: 1 },
    });
    expect(await inGroup()).toEqual([a, b, c]);
  });

  it('controllers of which one is foreign or unknown stay where they are, all 5,000', async () => {
    const other = await server.createUser();
    const elsewhere = await server.createOrganization(other);
    await fixture.addControllers(elsewhere, [`FOREIGN-${fixtures}`]);
    const many = Array.from({ length: limits.controllersPerCall - 4 }, (_, index) => `X${fixtures}-${index}`);
    await bulkControllers(many);
    for (const unknown of [`FOREIGN-${fixtures}`, 'NOBODY']) {
      const controllers = [...serialNumbers, ...many, unknown];
      const missing = {
        status: 404,
        body: { code: 'controller_not_found', detail: `Controller ${unknown} does not exist.` },
      };
      expect(await fixture.attach(group, { controllers })).toMatchObject(missing);
      expect(await fixture.detach({ controllers })).toMatchObject(missing);
    }
    expect(await inGroup()).toEqual([]);
    expect(await fixture.attach(group, { controllers: [...serialNumbers, ...many] })).toMatchObject({
      status: 200,
      body: { count: limits.controllersPerCall - 1 },
    });
  });

  it('controllers of another organization of one’s own are refused, and so is a filter that names it', async () => {
    const own = await server.createOrganization(admin);
    await fixture.addControllers(own, [`OWN-${fixtures}`]);
    const controllers = [serialNumbers[0], `OWN-${fixtures}`];
    const refusal = {
      status: 400,
      body: { controllers: ['All controllers must belong to one organization.'] },
    };
    expect(await fixture.attach(group, { controllers })).toMatchObject(refusal);
    expect(await fixture.detach({ controllers })).toMatchObject(refusal);
    expect(await fixture.attach(group, { filter: { organization_id: own } })).toMatchObject({
      status: 400,
      body: { filter: [expect.any(String)] },
    });
    expect(await inGroup()).toEqual([]);
  });

  it('controllers are chosen in one way of the two, at most 5,000 by name, and by a filter of one organization', async () => {
    const refused = async (body: unknown) => {
      const answers = [await fixture.attach(group, body), await fixture.detach(body)];
      return answers.map((answer) => [answer.status, ...Object.keys(answer.body as object)]);
    };
    const both = [
      [400, 'controllers'],
      [400, 'controllers'],
    ];
    expect(await refused({})).toEqual(both);
    expect(await refused({ controllers: [] })).toEqual(both);
    expect(await refused({ controllers: ['no serial'] })).toEqual(both);
    expect(await refused({ controllers: serialNumbers, filter: { organization_id: organization } })).toEqual(
      both,
    );
    expect(await refused({ controllers: Array.from({ length: 5001 }, (_, index) => `N${index}`) })).toEqual(
      both,
    );
    expect(await fixture.detach({ filter: {} })).toMatchObject({
      status: 400,
      body: { filter: [expect.any(String)] },
    });
    expect(await fixture.attach(group, { filter: { status: 'up' } })).toMatchObject({ status: 400 });
    expect(await fixture.attach(group, { filter: { password: 'x' } })).toMatchObject({ status: 400 });
    expect(
      await fixture.detach({ filter: { organization_id: globalThis.crypto.randomUUID() } }),
    ).toMatchObject({
      status: 404,
      body: { code: 'organization_not_found' },
    });
  });

  it('take a member; a viewer is refused', async () => {
    const [viewer, member] = [await server.createUser(), await server.createUser()];
    await server.addMember(organization, viewer, 'viewer');
    await server.addMember(organization, member, 'member');
    const body = { controllers: [serialNumbers[0]] };
    const refusal = { status: 403, body: { code: 'role_forbidden' } };
    expect(await fixture.attach(group, body, viewer)).toMatchObject(refusal);
    expect(await fixture.detach(body, viewer)).toMatchObject(refusal);
    expect((await fixture.attach(group, body, member)).status).toBe(200);
    expect((await fixture.detach(body, member)).status).toBe(200);
  });

  it('controllers that move leave a record and an event; those that are there already leave none', async () => {
    const seen: OrganizationEvent[] = [];
    const stop = server.server.events.subscribe('organization', (each) => {
      if (each.organizationId === organization) seen.push(each.event);
    });
    const [a, b] = serialNumbers;
    await fixture.attach(group, { controllers: [a, b] });
    await fixture.attach(group, { controllers: [a] });
    await fixture.detach({ filter: { organization_id: organization, group_ids: group } });
    stop();
    expect(seen).toEqual([
      { type: 'group.changed', change: 'controllers', groupId: group },
      { type: 'group.changed', change: 'controllers', groupId: null },
    ]);
    const audit = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'details'])
      .where('organization_id', '=', organization)
      .where('action', 'like', 'controllers.%')
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { action: 'controllers.attached', subject: 'group', details: { count: 2, controllers: `${a}, ${b}` } },
      {
        action: 'controllers.detached',
        subject: 'Fleet',
        details: { count: 2, filter: expect.stringContaining(group) },
      },
    ]);
  });
});

async function bulkControllers(names: readonly string[]): Promise<void> {
  const created = server.clock.now();
  const device = { model: '', firmware_version: '', agent_version: '' };
  const rows = names.map((serial_number) => ({ serial_number, id: globalThis.crypto.randomUUID() }));
  await server.db
    .insertInto('enrolments')
    .values(
      rows.map((row) => ({
        ...row,
        ...device,
        handle: Buffer.from(row.id),
        public_key: Buffer.from(row.id),
        created_at: created,
        last_seen_at: created,
      })),
    )
    .execute();
  for (let start = 0; start < rows.length; start += 1000) {
    await server.db
      .insertInto('controllers')
      .values(
        rows.slice(start, start + 1000).map((row) => ({
          ...row,
          ...device,
          organization_id: organization,
          enrolment_id: row.id,
          status: 'online' as const,
          status_reason: 'link' as const,
          status_since: created,
          activated_at: created,
        })),
      )
      .execute();
  }
}

describe('attaching while', () => {
  it('the group is deleted leaves every controller in a group that exists, or in none', async () => {
    for (let round = 0; round < 200; round += 1) {
      const shortLived = await fixture.createId(organization, `short-lived ${round}`);
      const [attached, removed] = await Promise.all([
        fixture.attach(shortLived, { controllers: serialNumbers }),
        fixture.remove(shortLived),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(attached.status);
    }
    expect(await inGroup(null)).toEqual([...serialNumbers].sort());
  });

  it('others attach, detach, delete groups, change and report the same controllers ends, each way whole', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `M${fixtures}-${index}`);
    await bulkControllers(names);
    const presence = createPresenceRepository(server.db);
    const enrolments = await server.db
      .selectFrom('controllers')
      .select('enrolment_id')
      .where('serial_number', 'in', names)
      .execute();
    const enrolmentIds = enrolments.map((row) => row.enrolment_id);
    const reversed = [...names].reverse();
    for (let round = 0; round < 10; round += 1) {
      const doomed = await fixture.createId(organization, `doomed ${round}`);
      const answers = await Promise.all([
        fixture.attach(group, { controllers: names }),
        fixture.attach(doomed, { filter: { search: `M${fixtures}-` } }),
        fixture.detach({ controllers: reversed }),
        fixture.remove(doomed),
        ...names
          .slice(0, 20)
          .map((serialNumber) =>
            server.call('updateController', { as: admin, params: { serialNumber }, body: { group } }),
          ),
        presence.touch(enrolmentIds, server.clock.now()).then(() => ({ status: 200 })),
      ]);
      for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    }
    const groups = new Set(Object.values(await fixture.groupsOf(organization)));
    for (const id of groups) expect([group, null]).toContain(id);
  });
});
