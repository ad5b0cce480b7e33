import { type AlertRule, type Group, lifetimes, type OrganizationEvent } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGroupFixture, type GroupFixture, outline } from './group.fixture.ts';
import { createUndosRepository } from './undos.repository.ts';

let server: TestServer;
let fixture: GroupFixture;
let admin: TestUser;
let organization: string;
let root: string;
let child: string;
let [inRoot, inChild, moved] = ['', '', ''] as [string, string, string];

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.createUser();
  fixture = createGroupFixture(server, () => admin);
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(admin, 'Fleet');
  root = await fixture.createId(organization, 'root');
  child = await fixture.createId(organization, 'child', root);
  [inRoot, inChild, moved] = ['R', 'C', 'M'].map((letter) => `${letter}-${root.slice(-8).toUpperCase()}`) as [
    string,
    string,
    string,
  ];
  await fixture.addControllers(organization, [inRoot], root);
  await fixture.addControllers(organization, [inChild, moved], child);
});

const refused = (status: number, code: string) => ({ status, body: { code } });
const everything = async () => ({
  trees: await fixture.trees(organization),
  groups: await fixture.groupsOf(organization),
  rules: (await server.call('listAlertRules', { as: admin, params: { organizationId: organization } })).body,
});

async function createRule(group: string, webhookUrl: string | null = 'https://hooks.example/pult') {
  const { status } = await server.call('createAlertRule', {
    as: admin,
    params: { organizationId: organization },
    body: { group, enabled: true, minutes: 5, members: [admin.id], webhookUrl },
  });
  expect(status).toBe(201);
}

describe('a deleted group', () => {
  it('a deleted group is gone at once for every call, with all under it', async () => {
    await createRule(child);
    expect(await fixture.remove(root)).toMatchObject({ status: 204 });
    expect(await everything()).toEqual({
      trees: [],
      groups: { [inRoot]: null, [inChild]: null, [moved]: null },
      rules: [],
    });
    const count = (query: Record<string, string>) =>
      server.call('countControllers', { as: admin, query: { organization_id: organization, ...query } });
    expect((await count({ group_ids: child })).body).toMatchObject({ count: 0 });
    expect((await count({ ungrouped: 'true' })).body).toMatchObject({ count: 3 });
    expect(await fixture.attach(child, { controllers: [inRoot] })).toMatchObject(
      refused(404, 'group_not_found'),
    );
    expect(await fixture.create(organization, 'below', child)).toMatchObject({ status: 400 });
    expect(await fixture.create(organization, 'root')).toMatchObject({ status: 201 });
  });

  it('a deleted group is restored whole: tree, controllers, rules with their channels and members', async () => {
    await createRule(child);
    await createRule(root, null);
    const before = await everything();
    await fixture.remove(root);
    const answer = await fixture.restore(root);
    expect(answer).toMatchObject({ status: 200, body: { id: root, name: 'root', controllersCount: 3 } });
    expect((answer.body as Group).subgroups[0]).toMatchObject({
      id: child,
      parent: root,
      controllersCount: 2,
    });
    expect(await everything()).toEqual(before);
    expect(
      (before.rules as AlertRule[]).map(({ members, webhook }) => [members.length, webhook?.url]),
    ).toContainEqual([1, 'https://hooks.example/pult']);
    // A second time there is nothing to restore.
    expect(await fixture.restore(root)).toMatchObject(refused(404, 'group_not_found'));
  });

  it('a deleted group is restored to its alerts, and notifies nobody who has left meanwhile', async () => {
    const colleague = await server.createUser();
    await server.addMember(organization, colleague, 'member');
    await server.call('createAlertRule', {
      as: admin,
      params: { organizationId: organization },
      body: { group: child, enabled: true, minutes: 5, members: [admin.id, colleague.id], webhookUrl: null },
    });
    const rule = await server.db
      .selectFrom('alert_rules')
      .select('id')
      .where('group_id', '=', child)
      .executeTakeFirstOrThrow();
    const { id: controllerId } = await server.db
      .selectFrom('controllers')
      .select('id')
      .where('serial_number', '=', inChild)
      .executeTakeFirstOrThrow();
    const at = server.clock.now();
    const { id: alertId } = await server.db
      .insertInto('alerts')
      .values({
        organization_id: organization,
        controller_id: controllerId,
        rule_id: rule.id,
        offline_since: at,
        fired_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await fixture.remove(root);
    const removal = { organizationId: organization, userId: colleague.id };
    expect(await server.call('removeMember', { as: admin, params: removal })).toMatchObject({ status: 204 });
    expect(await fixture.restore(root)).toMatchObject({ status: 200 });
    const { rule_id: restored } = await server.db
      .selectFrom('alerts')
      .select('rule_id')
      .where('id', '=', alertId)
      .executeTakeFirstOrThrow();
    expect(restored).toBe(rule.id);
    const { rules } = await everything();
    expect((rules as AlertRule[])[0]?.members.map(({ userId }) => userId)).toEqual([admin.id]);
  });

  it('a deleted group leaves a record with its counts, and so does its restoring; open consoles are told', async () => {
    const published: OrganizationEvent[] = [];
    const stop = server.server.events.subscribe('organization', ({ organizationId, event }) => {
      if (organizationId === organization) published.push(event);
    });
    await fixture.remove(root);
    await fixture.restore(root);
    stop();
    expect(published).toEqual(
      ['deleted', 'created', 'controllers'].map((change) => ({
        type: 'group.changed',
        change,
        groupId: root,
      })),
    );
    const records = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'details'])
      .where('organization_id', '=', organization)
      .where('action', 'in', ['group.deleted', 'group.restored'])
      .orderBy('id')
      .execute();
    const details = { subgroups: 1, count: 3 };
    expect(records).toEqual([
      { action: 'group.deleted', subject: 'root', details },
      { action: 'group.restored', subject: 'root', details },
    ]);
  });

  it('a deleted group stays deleted after its time, before and after the job has forgotten it', async () => {
    await fixture.remove(root);
    server.clock.advance(lifetimes.groupUndo * 1000 + 1);
    expect(await fixture.restore(root)).toMatchObject(refused(404, 'group_not_found'));
    await createUndosRepository(server.db, server.clock).deleteForgotten();
    const kept = server.db.selectFrom('group_undos').select('id').where('id', '=', root);
    expect(await kept.execute()).toEqual([]);
    expect(await fixture.restore(root)).toMatchObject(refused(404, 'group_not_found'));
    expect(await fixture.trees(organization)).toEqual([]);
  });

  it('a deleted group is restored in its very last moment, which the job leaves alone', async () => {
    await fixture.remove(root);
    server.clock.advance(lifetimes.groupUndo * 1000);
    await createUndosRepository(server.db, server.clock).deleteForgotten();
    expect(await fixture.restore(root)).toMatchObject({ status: 200 });
  });

  it('a deleted group is restored by those who may manage groups, not by members, nor by another organization', async () => {
    const [member, colleague, outsider] = await Promise.all([
      server.createUser(),
      server.createUser(),
      server.createUser(),
    ]);
    await server.addMember(organization, member, 'member');
    await server.addMember(organization, colleague, 'admin');
    await server.createOrganization(outsider);
    await fixture.remove(root);
    expect(await fixture.restore(root, member)).toMatchObject(refused(403, 'role_forbidden'));
    expect(await fixture.restore(root, outsider)).toMatchObject(refused(404, 'group_not_found'));
    expect(await fixture.trees(organization)).toEqual([]);
    expect(await fixture.restore(root, colleague)).toMatchObject({ status: 200 });
  });
});

describe('what others do before a group is restored', () => {
  it('a controller that was moved or deleted meanwhile stays where it is', async () => {
    const other = await fixture.createId(organization, 'other');
    await fixture.remove(root);
    await fixture.attach(other, { controllers: [moved] });
    await server.db.deleteFrom('controllers').where('serial_number', '=', inRoot).execute();
    expect(await fixture.restore(root)).toMatchObject({ status: 200 });
    expect(await fixture.groupsOf(organization)).toEqual({ [inChild]: child, [moved]: other });
    expect(outline(await fixture.trees(organization))).toEqual({ root: { child: {} }, other: {} });
  });

  it('a group whose parent was deleted after it comes back after its parent, not before', async () => {
    const before = await everything();
    await fixture.remove(child);
    await fixture.remove(root);
    expect(await fixture.restore(child)).toMatchObject(refused(409, 'group_parent_gone'));
    expect(await fixture.restore(root)).toMatchObject({ status: 200 });
    expect(outline(await fixture.trees(organization))).toEqual({ root: {} });
    expect(await fixture.restore(child)).toMatchObject({ status: 200 });
    expect(await everything()).toEqual(before);
  });

  it('a group whose name was taken meanwhile is refused, and restored when the name is free', async () => {
    await fixture.remove(root);
    const usurper = await fixture.createId(organization, 'root');
    expect(await fixture.restore(root)).toMatchObject({
      status: 400,
      body: { name: ['This name is taken here.'] },
    });
    await fixture.update(usurper, { name: 'usurper' });
    expect(await fixture.restore(root)).toMatchObject({ status: 200 });
    expect(outline(await fixture.trees(organization))).toEqual({ root: { child: {} }, usurper: {} });
  });

  it('a group whose parent has gone deeper than its tree has room for is refused', async () => {
    await fixture.remove(child);
    let parent: string | null = null;
    for (let level = 0; level < 19; level += 1) {
      parent = await fixture.createId(organization, `level ${level}`, parent);
    }
    expect(await fixture.update(root, { parent })).toMatchObject({ status: 200 });
    expect(await fixture.restore(child)).toMatchObject(refused(400, 'group_too_deep'));
    expect(await fixture.update(root, { parent: null })).toMatchObject({ status: 200 });
    expect(await fixture.restore(child)).toMatchObject({ status: 200 });
  });

  it('two who restore a group at once: one does, and it or another group gets its name', async () => {
    await fixture.remove(root);
    const twice = await Promise.all([fixture.restore(root), fixture.restore(root)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    await fixture.remove(root);
    const named = await Promise.all([fixture.restore(root), fixture.create(organization, 'root')]);
    expect(named.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
    expect(await fixture.trees(organization)).toHaveLength(1);
  });

  it('controllers that are moved while it is deleted and restored end in a group that exists, or in none', async () => {
    const other = await fixture.createId(organization, 'other');
    await Promise.all([
      fixture.remove(root).then(() => fixture.restore(root)),
      ...Array.from({ length: 6 }, (_, index) =>
        index % 2
          ? fixture.attach(other, { controllers: [moved, inRoot] })
          : fixture.detach({ controllers: [moved, inChild] }),
      ),
    ]);
    const ids = new Set([null, root, child, other]);
    for (const group of Object.values(await fixture.groupsOf(organization))) expect(ids).toContain(group);
    const kept = await server.db.selectFrom('group_undos').select('id').execute();
    expect(kept.map(({ id }) => id)).not.toContain(root);
  });
});
