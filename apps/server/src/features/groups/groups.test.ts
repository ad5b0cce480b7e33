import { type Group, limits, type OrganizationEvent } from '@pult/contract';
import { poll } from '@pult/testkit';
import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGroupFixture, type GroupFixture, outline } from './group.fixture.ts';

let server: TestServer;
let fixture: GroupFixture;
let admin: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.createUser();
  fixture = createGroupFixture(server, () => admin);
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
  // spec: 1.02, 3.03
  it('the tree of groups has levels from 0, siblings by name without regard to case, and Ё beside Е', async () => {
    const north = await fixture.createId(organization, 'Север');
    await fixture.createId(organization, 'ёлки', north);
    await fixture.createId(organization, 'Ели', north);
    const deep = await fixture.createId(organization, 'жасмин', north);
    await fixture.createId(organization, 'один', deep);
    await fixture.createId(organization, 'юг');
    const trees = await fixture.trees(organization);
    expect(outline(trees)).toEqual({ Север: { Ели: {}, ёлки: {}, жасмин: { один: {} } }, юг: {} });
    expect(Object.keys(outline(trees).Север ?? {})).toEqual(['Ели', 'ёлки', 'жасмин']);
    expect(trees[0]).toMatchObject({ id: north, parent: null, level: 0, organization: { id: organization } });
    expect(trees[0]?.subgroups[2]).toMatchObject({ id: deep, parent: north, level: 1 });
    expect(trees[0]?.subgroups[2]?.subgroups[0]).toMatchObject({ parent: deep, level: 2 });
  });

  // spec: 7.28
  it('counts the controllers of a group with those under it, and only the matching ones', async () => {
    const root = await fixture.createId(organization, 'root');
    const child = await fixture.createId(organization, 'child', root);
    await fixture.addControllers(organization, [`T1-${root.slice(-6)}`, `T2-${root.slice(-6)}`], child);
    await fixture.addControllers(organization, [`T3-${root.slice(-6)}`], root);
    await fixture.addControllers(organization, [`T4-${root.slice(-6)}`]);
    const counts = async (query: Record<string, string>) => {
      const [tree] = await fixture.trees(organization, query);
      return [tree?.controllersCount, tree?.subgroups[0]?.controllersCount];
    };
    expect(await counts({})).toEqual([3, 2]);
    expect(await counts({ serial_number: 't2-' })).toEqual([1, 1]);
    expect(await counts({ search: 'child' })).toEqual([2, 2]);
    expect(await counts({ status: 'online' })).toEqual([0, 0]);
  });

  // spec: 7.28
  it('the tree of groups is of all one’s organizations, or of one, and of no other', async () => {
    const user = await server.createUser();
    const [first, second] = [await server.createOrganization(user), await server.createOrganization(admin)];
    await server.addMember(second, user, 'viewer');
    await fixture.create(first, 'a', null, user);
    await fixture.create(second, 'b');
    const all = await server.call('listGroups', { as: user });
    expect((all.body as Group[]).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect(outline(await fixture.trees(second, {}, user))).toEqual({ b: {} });
    expect(await fixture.trees(first)).toEqual([]);
  });

  it('the tree of groups may have names with HTML, emoji, right-to-left text and 255 characters, and no empty ones', async () => {
    for (const name of ['<img src=x onerror=alert(1)>', '🚰'.repeat(255), 'مجموعة', 'null']) {
      expect(await fixture.create(organization, name)).toMatchObject({ status: 201, body: { name } });
    }
    for (const name of ['', '  ', 'x'.repeat(256), 'a\u0000b']) {
      const answer = await fixture.create(organization, name);
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['name']]);
    }
    expect(await fixture.trees(organization)).toHaveLength(4);
  });

  it('refuses a second sibling of one name, at the root too, but not elsewhere', async () => {
    const taken = { status: 400, body: { name: ['This name is taken here.'] } };
    const one = await fixture.createId(organization, 'one');
    expect(await fixture.create(organization, ' one ')).toMatchObject(taken);
    expect(await fixture.create(organization, 'one', one)).toMatchObject({ status: 201, body: { level: 1 } });
    const two = await fixture.createId(organization, 'two');
    expect(await fixture.update(two, { name: 'one' })).toMatchObject(taken);
    expect(await fixture.update(two, { name: 'two' })).toMatchObject({ status: 200 });
    const other = await server.createOrganization(admin);
    expect((await fixture.create(other, 'one')).status).toBe(201);
  });

  it('the tree of groups has 20 levels and not one more, whether a group is made or moved', async () => {
    const deep = { status: 400, body: { code: 'group_too_deep' } };
    let parent: string | null = null;
    for (let level = 0; level < limits.groupLevels; level += 1) {
      const { body }: { body: unknown } = await fixture.create(organization, `level ${level}`, parent);
      expect(body).toMatchObject({ level });
      parent = (body as Group).id;
    }
    expect(await fixture.create(organization, 'too deep', parent)).toMatchObject(deep);
    const pair = await fixture.createId(organization, 'pair');
    await fixture.createId(organization, 'lower', pair);
    const [tree] = await fixture.trees(organization, {});
    let nineteenth = tree;
    while (nineteenth && nineteenth.level < limits.groupLevels - 2) nineteenth = nineteenth.subgroups[0];
    expect(await fixture.update(pair, { parent: nineteenth?.id })).toMatchObject(deep);
    expect(await fixture.update(pair, { parent: nineteenth?.parent })).toMatchObject({ status: 200 });
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
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => fixture.create(organization, name)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('a group', () => {
  // spec: 3.03, 4.03, 7.29
  it('a group is moved with all under it, to a parent or to the root', async () => {
    const [a, b] = [await fixture.createId(organization, 'a'), await fixture.createId(organization, 'b')];
    const child = await fixture.createId(organization, 'child', a);
    await fixture.createId(organization, 'grandchild', child);
    expect(await fixture.update(child, { parent: b })).toMatchObject({
      status: 200,
      body: { id: child, parent: b, level: 1, subgroups: [{ name: 'grandchild', level: 2 }] },
    });
    expect(outline(await fixture.trees(organization))).toEqual({ a: {}, b: { child: { grandchild: {} } } });
    expect(await fixture.update(child, { parent: null, name: 'root' })).toMatchObject({
      body: { parent: null, level: 0, name: 'root' },
    });
  });

  // spec: 4.03
  it('a group cannot be moved into itself or under itself', async () => {
    const a = await fixture.createId(organization, 'a');
    const b = await fixture.createId(organization, 'b', a);
    const c = await fixture.createId(organization, 'c', b);
    for (const parent of [a, b, c]) {
      expect(await fixture.update(a, { parent })).toMatchObject({
        status: 400,
        body: { code: 'group_cycle' },
      });
    }
    expect(outline(await fixture.trees(organization))).toEqual({ a: { b: { c: {} } } });
  });

  it('a group has a parent of its own organization', async () => {
    const elsewhere = await fixture.createId(await server.createOrganization(admin), 'elsewhere');
    const unknown = { status: 400, body: { parent: ['The organization has no such group.'] } };
    const group = await fixture.createId(organization, 'group');
    for (const parent of [elsewhere, globalThis.crypto.randomUUID()]) {
      expect(await fixture.create(organization, 'x', parent)).toMatchObject(unknown);
      expect(await fixture.update(group, { parent })).toMatchObject(unknown);
    }
  });

  // spec: 7.29
  it('a group is deleted with its subgroups; controllers stay, in no group', async () => {
    const a = await fixture.createId(organization, 'a');
    const b = await fixture.createId(organization, 'b', a);
    await fixture.createId(organization, 'rest');
    const [first, second] = [`D1-${a.slice(-6)}`.toUpperCase(), `D2-${a.slice(-6)}`.toUpperCase()];
    await fixture.addControllers(organization, [first], a);
    await fixture.addControllers(organization, [second], b);
    expect(await fixture.remove(a)).toMatchObject({ status: 204 });
    expect(outline(await fixture.trees(organization))).toEqual({ rest: {} });
    expect(await fixture.groupsOf(organization)).toEqual({ [first]: null, [second]: null });
    expect(await fixture.remove(a)).toMatchObject({ status: 404, body: { code: 'group_not_found' } });
    expect(await fixture.update(b, { name: 'x' })).toMatchObject({ status: 404 });
  });

  it('leaves a record of who made, changed and deleted it, and tells open consoles', async () => {
    const seen: OrganizationEvent[] = [];
    const stop = server.server.events.subscribe('organization', (each) => {
      if (each.organizationId === organization) seen.push(each.event);
    });
    const id = await fixture.createId(organization, 'old');
    await fixture.update(id, { name: 'new' });
    await fixture.remove(id);
    stop();
    expect(seen).toEqual(
      ['created', 'updated', 'deleted'].map((change) => ({ type: 'group.changed', change, groupId: id })),
    );
    expect(await auditOf(organization)).toEqual([
      { action: 'group.created', subject: 'old', user_id: admin.id, details: {} },
      { action: 'group.updated', subject: 'new', user_id: admin.id, details: { previousName: 'old' } },
      { action: 'group.deleted', subject: 'new', user_id: admin.id, details: { subgroups: 0, count: 0 } },
    ]);
  });
});

/** Each has its calls at one point of the server at once, whatever else the machine does. */
const rounds = 10;

/** Makes calls that all wait for the organization before any of them goes on. */
async function callAtOnce(calls: readonly (() => Promise<TestAnswer>)[]): Promise<TestAnswer[]> {
  let answers: Promise<TestAnswer[]> | undefined;
  await server.db.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organization)
      .forUpdate()
      .execute();
    answers = Promise.all(calls.map((call) => call()));
    await poll(() => server.isWaitingForLock(calls.length), { what: 'all calls wait', intervalMs: 5 });
  });
  return (await answers) ?? [];
}

describe('changes at once', () => {
  it('changes at once of two moves that would make a cycle let one through', async () => {
    const [a, b] = [await fixture.createId(organization, 'a'), await fixture.createId(organization, 'b')];
    for (let round = 0; round < rounds; round += 1) {
      const answers = await callAtOnce([
        () => fixture.update(a, { parent: b }),
        () => fixture.update(b, { parent: a }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const refused = answers.find(({ status }) => status === 400);
      expect(refused?.body).toMatchObject({ code: 'group_cycle' });
      const moved = refused === answers[0] ? b : a;
      expect((await fixture.update(moved, { parent: null })).status).toBe(200);
    }
    expect(outline(await fixture.trees(organization))).toEqual({ a: {}, b: {} });
  });

  it('changes at once of two siblings that take one name let one through', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const create = () => fixture.create(organization, `name ${round}`);
      const answers = await callAtOnce([create, create, create]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    }
    expect(await fixture.trees(organization)).toHaveLength(rounds);
  });

  it('changes at once to the deleted parent of a new group never leave it without one', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const parent = await fixture.createId(organization, `parent ${round}`);
      const [made, removed] = await callAtOnce([
        () => fixture.create(organization, 'child', parent),
        () => fixture.remove(parent),
      ]);
      expect(removed?.status).toBe(204);
      expect([201, 400]).toContain(made?.status);
    }
    expect(await fixture.trees(organization)).toEqual([]);
  });
});
