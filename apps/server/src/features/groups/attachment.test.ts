import { limits, type OrganizationEvent } from '@pult/contract';
import { describe, expect, it } from 'vitest';
import { enrolmentOfController } from '../devices/index.ts';
import { createPresenceRepository } from '../devices/presence.repository.ts';
import { useAttachmentFixture } from './attachment.fixture.ts';

const t = useAttachmentFixture();

describe('controllers', () => {
  // spec: 4.03, 7.30, 7.31
  it('controllers are put into a group and out of it by their serial numbers, in either case, named twice or not', async () => {
    const [a, b, c] = t.serialNumbers;
    expect(await t.fixture.attach(t.group, { controllers: [a.toLowerCase(), b, b] })).toMatchObject({
      status: 200,
      body: { count: 2 },
    });
    expect(await t.inGroup()).toEqual([a, b]);
    expect(await t.fixture.attach(t.group, { controllers: [b, c] })).toMatchObject({ body: { count: 2 } });
    expect(await t.fixture.detach({ controllers: [a, c] })).toMatchObject({
      status: 200,
      body: { count: 2 },
    });
    expect(await t.inGroup()).toEqual([b]);
  });

  it('controllers are put into a group and out of it by the list’s filter, with no serial number sent', async () => {
    const [a, b, c] = t.serialNumbers;
    expect(await t.fixture.attach(t.group, { filter: { serial_number: `S${t.number}-` } })).toMatchObject({
      status: 200,
      body: { count: 3 },
    });
    const filter = { organization_id: t.organization, group_ids: t.group, search: '-b' };
    expect(await t.fixture.detach({ filter })).toMatchObject({ status: 200, body: { count: 1 } });
    expect(await t.inGroup()).toEqual([a, c]);
    expect(await t.fixture.attach(t.group, { filter: { ungrouped: true } })).toMatchObject({
      body: { count: 1 },
    });
    expect(await t.inGroup()).toEqual([a, b, c]);
  });

  it('controllers of which one is foreign or unknown stay where they are, all 5,000', async () => {
    const other = await t.server.createUser();
    const elsewhere = await t.server.createOrganization(other);
    await t.fixture.addControllers(elsewhere, [`FOREIGN-${t.number}`]);
    const many = Array.from({ length: limits.controllersPerCall - 4 }, (_, index) => `X${t.number}-${index}`);
    await bulkControllers(many);
    for (const unknown of [`FOREIGN-${t.number}`, 'NOBODY']) {
      const controllers = [...t.serialNumbers, ...many, unknown];
      const missing = {
        status: 404,
        body: { code: 'controller_not_found', detail: `Controller ${unknown} does not exist.` },
      };
      expect(await t.fixture.attach(t.group, { controllers })).toMatchObject(missing);
      expect(await t.fixture.detach({ controllers })).toMatchObject(missing);
    }
    expect(await t.inGroup()).toEqual([]);
    expect(await t.fixture.attach(t.group, { controllers: [...t.serialNumbers, ...many] })).toMatchObject({
      status: 200,
      body: { count: limits.controllersPerCall - 1 },
    });
  });

  it('controllers of another organization of one’s own are refused, and so is a filter that names it', async () => {
    const own = await t.server.createOrganization(t.admin);
    await t.fixture.addControllers(own, [`OWN-${t.number}`]);
    const controllers = [t.serialNumbers[0], `OWN-${t.number}`];
    const refusal = {
      status: 400,
      body: { controllers: ['All controllers must belong to one organization.'] },
    };
    expect(await t.fixture.attach(t.group, { controllers })).toMatchObject(refusal);
    expect(await t.fixture.detach({ controllers })).toMatchObject(refusal);
    expect(await t.fixture.attach(t.group, { filter: { organization_id: own } })).toMatchObject({
      status: 400,
      body: { filter: [expect.any(String)] },
    });
    expect(await t.inGroup()).toEqual([]);
  });

  it('controllers are chosen in one way of the two, at most 5,000 by name, and by a filter of one organization', async () => {
    const refused = async (body: unknown) => {
      const answers = [await t.fixture.attach(t.group, body), await t.fixture.detach(body)];
      return answers.map((answer) => [answer.status, ...Object.keys(answer.body as object)]);
    };
    const both = [
      [400, 'controllers'],
      [400, 'controllers'],
    ];
    expect(await refused({})).toEqual(both);
    expect(await refused({ controllers: [] })).toEqual(both);
    expect(await refused({ controllers: ['no serial'] })).toEqual(both);
    expect(
      await refused({ controllers: t.serialNumbers, filter: { organization_id: t.organization } }),
    ).toEqual(both);
    expect(await refused({ controllers: Array.from({ length: 5001 }, (_, index) => `N${index}`) })).toEqual(
      both,
    );
    expect(await t.fixture.detach({ filter: {} })).toMatchObject({
      status: 400,
      body: { filter: [expect.any(String)] },
    });
    expect(await t.fixture.attach(t.group, { filter: { status: 'up' } })).toMatchObject({ status: 400 });
    expect(await t.fixture.attach(t.group, { filter: { password: 'x' } })).toMatchObject({ status: 400 });
    expect(
      await t.fixture.detach({ filter: { organization_id: globalThis.crypto.randomUUID() } }),
    ).toMatchObject({
      status: 404,
      body: { code: 'organization_not_found' },
    });
  });

  it('take a member; a viewer is refused', async () => {
    const [viewer, member] = [await t.server.createUser(), await t.server.createUser()];
    await t.server.addMember(t.organization, viewer, 'viewer');
    await t.server.addMember(t.organization, member, 'member');
    const body = { controllers: [t.serialNumbers[0]] };
    const refusal = { status: 403, body: { code: 'role_forbidden' } };
    expect(await t.fixture.attach(t.group, body, viewer)).toMatchObject(refusal);
    expect(await t.fixture.detach(body, viewer)).toMatchObject(refusal);
    expect((await t.fixture.attach(t.group, body, member)).status).toBe(200);
    expect((await t.fixture.detach(body, member)).status).toBe(200);
  });

  it('controllers that move leave a record and an event; those that are there already leave none', async () => {
    const seen: OrganizationEvent[] = [];
    const stop = t.server.server.events.subscribe('organization', (each) => {
      if (each.organizationId === t.organization) seen.push(each.event);
    });
    const [a, b] = t.serialNumbers;
    await t.fixture.attach(t.group, { controllers: [a, b] });
    await t.fixture.attach(t.group, { controllers: [a] });
    await t.fixture.detach({ filter: { organization_id: t.organization, group_ids: t.group } });
    expect(seen).toHaveLength(2);
    await t.fixture.detach({ controllers: [a] });
    stop();
    expect(seen).toEqual([
      { type: 'group.changed', change: 'controllers', groupId: t.group },
      { type: 'group.changed', change: 'controllers', groupId: null },
    ]);
    const audit = await t.server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'details'])
      .where('organization_id', '=', t.organization)
      .where('action', 'like', 'controllers.%')
      .orderBy('id')
      .execute();
    expect(audit).toEqual([
      { action: 'controllers.attached', subject: 'group', details: { count: 2, controllers: `${a}, ${b}` } },
      {
        action: 'controllers.detached',
        subject: 'Fleet',
        details: { count: 2, filter: expect.stringContaining(t.group) },
      },
    ]);
  });
});

async function bulkControllers(names: readonly string[]): Promise<void> {
  const created = t.server.clock.now();
  const device = { model: '', firmware_version: '', agent_version: '' };
  const rows = names.map((serial_number) => ({ serial_number, id: globalThis.crypto.randomUUID() }));
  await t.server.db
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
    await t.server.db
      .insertInto('controllers')
      .values(
        rows.slice(start, start + 1000).map((row) => ({
          ...row,
          ...device,
          organization_id: t.organization,
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
      const shortLived = await t.fixture.createId(t.organization, `short-lived ${round}`);
      const [attached, removed] = await Promise.all([
        t.fixture.attach(shortLived, { controllers: t.serialNumbers }),
        t.fixture.remove(shortLived),
      ]);
      expect(removed.status).toBe(204);
      expect([200, 404]).toContain(attached.status);
    }
    expect(await t.inGroup(null)).toEqual([...t.serialNumbers].sort());
  });

  it('others attach, detach, delete groups, change and report the same controllers ends, each way whole', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `M${t.number}-${index}`);
    await bulkControllers(names);
    const presence = createPresenceRepository(t.server.db);
    const enrolments = await t.server.db
      .selectFrom('controllers')
      .select(enrolmentOfController.as('enrolment_id'))
      .where('serial_number', 'in', names)
      .execute();
    const enrolmentIds = enrolments.map((row) => row.enrolment_id);
    const reversed = [...names].reverse();
    for (let round = 0; round < 10; round += 1) {
      const doomed = await t.fixture.createId(t.organization, `doomed ${round}`);
      const answers = await Promise.all([
        t.fixture.attach(t.group, { controllers: names }),
        t.fixture.attach(doomed, { filter: { search: `M${t.number}-` } }),
        t.fixture.detach({ controllers: reversed }),
        t.fixture.remove(doomed),
        ...names.slice(0, 20).map((serialNumber) =>
          t.server.call('updateController', {
            as: t.admin,
            params: { serialNumber },
            body: { group: t.group },
          }),
        ),
        presence.touch(enrolmentIds, t.server.clock.now()).then(() => ({ status: 200 })),
      ]);
      for (const { status } of answers) expect([200, 204, 404]).toContain(status);
    }
    const groups = new Set(Object.values(await t.fixture.groupsOf(t.organization)));
    for (const id of groups) expect([t.group, null]).toContain(id);
  });
});
