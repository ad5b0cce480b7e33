import { type Group, limits, type OrganizationEvent } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGroupScene, type GroupScene, outline } from './group-scene.fixture.ts';

let server: TestServer;
let scene: GroupScene;
let admin: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.createUser();
  scene = createGroupScene(server, () => admin);
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(admin, 'Fleet');
});

async function auditOf(organizationId: string) {
  return server.db
    .selectFrom('audit_events')
    .select(['action', 'subject', 'user_id', 'details'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
}

describe('the tree of groups', () => {
  it('has levels from 0, siblings by name without regard to case, and Ё beside Е', async () => {
    const north = await scene.createId(organization, 'Север');
    await scene.createId(organization, 'ёлки', north);
    await scene.createId(organization, 'Ели', north);
    const deep = await scene.createId(organization, 'жасмин', north);
    await scene.createId(organization, 'один', deep);
    await scene.createId(organization, 'юг');
    const trees = await scene.trees(organization);
    expect(outline(trees)).toEqual({ Север: { Ели: {}, ёлки: {}, жасмин: { один: {} } }, юг: {} });
    expect(Object.keys(outline(trees).Север ?? {})).toEqual(['Ели', 'ёлки', 'жасмин']);
    expect(trees[0]).toMatchObject({ id: north, parent: null, level: 0, organization: { id: organization } });
    expect(trees[0]?.subgroups[2]).toMatchObject({ id: deep, parent: north, level: 1 });
    expect(trees[0]?.subgroups[2]?.subgroups[0]).toMatchObject({ parent: deep, level: 2 });
  });

  it('counts the controllers of a group with those under it, and only the matching ones', async () => {
    const root = await scene.createId(organization, 'root');
    const child = await scene.createId(organization, 'child', root);
    await scene.addControllers(organization, [`T1-${root.slice(-6)}`, `T2-${root.slice(-6)}`], child);
    await scene.addControllers(organization, [`T3-${root.slice(-6)}`], root);
    await scene.addControllers(organization, [`T4-${root.slice(-6)}`]);
    const counts = async (query: Record<string, string>) => {
      const [tree] = await scene.trees(organization, query);
      return [tree?.controllersCount, tree?.subgroups[0]?.controllersCount];
    };
    expect(await counts({})).toEqual([3, 2]);
    expect(await counts({ serial_number: 't2-' })).toEqual([1, 1]);
    expect(await counts({ search: 'child' })).toEqual([2, 2]);
    expect(await counts({ status: 'online' })).toEqual([0, 0]);
  });

  it('is of all one’s organizations, or of one, and of no other', async () => {
    const user = await server.createUser();
    const [first, second] = [await server.createOrganization(user), await server.createOrganization(admin)];
    await server.addMember(second, user, 'viewer');
    await scene.create(first, 'a', null, user);
    await scene.create(second, 'b');
    const all = await server.call('listGroups', { as: user });
    expect((all.body as Group[]).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect(outline(await scene.trees(second, {}, user))).toEqual({ b: {} });
    expect(await scene.trees(first)).toEqual([]);
  });

  it('may have names with HTML, emoji, right-to-left text and 255 characters, and no empty ones', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', '🚰'.repeat(255), 'مجموعة', 'null']) {
      expect(await scene.create(organization, name)).toMatchObject({ status: 201, body: { name } });
    }
    for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b']) {
      const answer = await scene.create(organization, name);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['name']]);
    }
    expect(await scene.trees(organization)).toHaveLength(4);
  });

  it('refuses a second sibling of one name, at the root too, but not elsewhere', async () => {
    const taken = { status: 400, body: { name: ['This name is taken here.'] } };
    const one = await scene.createId(organization, 'one');
    expect(await scene.create(organization, ' one ')).toMatchObject(taken);
    expect(await scene.create(organization, 'one', one)).toMatchObject({ status: 201, body: { level: 1 } });
    const two = await scene.createId(organization, 'two');
    expect(await scene.update(two, { name: 'one' })).toMatchObject(taken);
    expect(await scene.update(two, { name: 'two' })).toMatchObject({ status: 200 });
    const other = await server.createOrganization(admin);
    expect((await scene.create(other, 'one')).status).toBe(201);
  });

  it('has 20 levels and not one more, whether a group is made or moved', async () => {
    const deep = { status: 400, body: { code: 'group_too_deep' } };
    let parent: string | null = null;
    for (let level = 0; level < limits.groupLevels; level += 1) {
      const { body }: { body: unknown } = await scene.create(organization, `level ${level}`, parent);
      expect(body).toMatchObject({ level });
      parent = (body as Group).id;
    }
    expect(await scene.create(organization, 'too deep', parent)).toMatchObject(deep);
    const pair = await scene.createId(organization, 'pair');
    await scene.createId(organization, 'lower', pair);
    const [tree] = await scene.trees(organization, {});
    let nineteenth = tree;
    while (nineteenth && nineteenth.level < limits.groupLevels - 2) nineteenth = nineteenth.subgroups[0];
    expect(await scene.update(pair, { parent: nineteenth?.id })).toMatchObject(deep);
    expect(await scene.update(pair, { parent: nineteenth?.parent })).toMatchObject({ status: 200 });
  });

  it('holds the limit of groups', async () => {
    await server.db
      .insertInto('groups')
      .values(
        Array.from({ length: limits.groupsPerOrganization - 1 }, (_, index) => ({
          id: globalThis.crypto.randomUUID(),
          organization_id: organization,
          parent_id: null,
          name: `group ${index}`,
          created_at: server.clock.now(),
        })),
      )
      .execute();
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => scene.create(organization, name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('a group', () => {
  it('is moved with all under it, to a parent or to the root', async () => {
    const [a, b] = [await scene.createId(organization, 'a'), await scene.createId(organization, 'b')];
    const child = await scene.createId(organization, 'child', a);
    await scene.createId(organization, 'grandchild', child);
    expect(await scene.update(child, { parent: b })).toMatchObject({
      status: 200,
      body: { id: child, parent: b, level: 1, subgroups: [{ name: 'grandchild', level: 2 }] },
    });
    expect(outline(await scene.trees(organization))).toEqual({ a: {}, b: { child: { grandchild: {} } } });
    expect(await scene.update(child, { parent: null, name: 'root' })).toMatchObject({
      body: { parent: null, level: 0, name: 'root' },
    });
  });

  it('cannot be moved into itself or under itself', async () => {
    const a = await scene.createId(organization, 'a');
    const b = await scene.createId(organization, 'b', a);
    const c = await scene.createId(organization, 'c', b);
    for (const parent of [a, b, c]) {
      expect(await scene.update(a, { parent })).toMatchObject({ status: 400, body: { code: 'group_cycle' } });
    }
    expect(outline(await scene.trees(organization))).toEqual({ a: { b: { c: {} } } });
  });

  it('has a parent of its own organization', async () => {
    const elsewhere = await scene.createId(await server.createOrganization(admin), 'elsewhere');
    const unknown = { status: 400, body: { parent: ['The organization has no such group.'] } };
    const group = await scene.createId(organization, 'group');
    for (const parent of [elsewhere, globalThis.crypto.randomUUID()]) {
      expect(await scene.create(organization, 'x', parent)).toMatchObject(unknown);
      expect(await scene.update(group, { parent })).toMatchObject(unknown);
    }
  });

  it('is deleted with its subgroups; controllers stay, in no group', async () => {
    const a = await scene.createId(organization, 'a');
    const b = await scene.createId(organization, 'b', a);
    await scene.createId(organization, 'rest');
    const [first, second] = [`D1-${a.slice(-6)}`.toUpperCase(), `D2-${a.slice(-6)}`.toUpperCase()];
    await scene.addControllers(organization, [first], a);
    await scene.addControllers(organization, [second], b);
    expect(await scene.remove(a)).toMatchObject({ status: 204 });
    expect(outline(await scene.trees(organization))).toEqual({ rest: {} });
    expect(await scene.groupsOf(organization)).toEqual({ [first]: null, [second]: null });
    expect(await scene.remove(a)).toMatchObject({ status: 404, body: { code: 'group_not_found' } });
    expect(await scene.update(b, { name: 'x' })).toMatchObject({ status: 404 });
  });

  it('leaves a record of who made, changed and deleted it, and tells open consoles', async () => {
    const seen: OrganizationEvent[] = [];
    const stop = server.server.events.subscribe('organization', (each) => {
      if (each.organizationId === organization) seen.push(each.event);
    });
    const id = await scene.createId(organization, 'old');
    await scene.update(id, { name: 'new' });
    await scene.remove(id);
    stop();
    expect(seen).toEqual(
      ['created', 'updated', 'deleted'].map((change) => ({ type: 'group.changed', change, groupId: id })),
    );
    expect(await auditOf(organization)).toEqual([
      { action: 'group.created', subject: 'old', user_id: admin.id, details: {} },
      { action: 'group.updated', subject: 'new', user_id: admin.id, details: { previousName: 'old' } },
      { action: 'group.deleted', subject: 'new', user_id: admin.id, details: { subgroups: 0 } },
    ]);
  });
});

const rounds = 200;

describe('changes at once', () => {
  it('of two moves that would make a cycle let one through', async () => {
    const [a, b] = [await scene.createId(organization, 'a'), await scene.createId(organization, 'b')];
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all([scene.update(a, { parent: b }), scene.update(b, { parent: a })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const refused = answers.find(({ status }) => status === 400);
      expect(refused?.body).toMatchObject({ code: 'group_cycle' });
      const moved = refused === answers[0] ? b : a;
      expect((await scene.update(moved, { parent: null })).status).toBe(200);
    }
    expect(outline(await scene.trees(organization))).toEqual({ a: {}, b: {} });
  });

  it('of two siblings that take one name let one through', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const name = `name ${round}`;
      const answers = await Promise.all([
        scene.create(organization, name),
        scene.create(organization, name),
        scene.create(organization, name),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    }
    expect(await scene.trees(organization)).toHaveLength(rounds);
  });

  it('to the deleted parent of a new group never leave it without one', async () => {
    for (let round = 0; round < 50; round += 1) {
      const parent = await scene.createId(organization, `parent ${round}`);
      const [made, removed] = await Promise.all([
        scene.create(organization, 'child', parent),
        scene.remove(parent),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 400]).toContain(made.status);
    }
    expect(await scene.trees(organization)).toEqual([]);
  });
});
