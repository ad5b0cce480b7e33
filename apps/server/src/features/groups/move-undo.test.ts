import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  serialNumbers = [`U${fixtures}-A`, `U${fixtures}-B`, `U${fixtures}-C`];
  await fixture.addControllers(organization, serialNumbers);
});

const inGroup = async (id: string | null = group) =>
  Object.entries(await fixture.groupsOf(organization))
    .filter(([, each]) => each === id)
    .map(([serialNumber]) => serialNumber)
    .sort();

describe('a move of controllers', () => {
  const moveIdOf = ({ body }: { body: unknown }) => (body as { moveId: string | null }).moveId ?? '';
  const undo = (moveId: string, as = admin) => server.call('undoMove', { as, params: { moveId } });
  const gone = { status: 404, body: { code: 'move_not_found' } };

  it('a move can be undone once: each controller goes back to where it was', async () => {
    const [a, b, c] = serialNumbers;
    const other = await fixture.createId(organization, 'other');
    await fixture.attach(other, { controllers: [a] });
    const moved = await fixture.attach(group, { controllers: [a, b, c] });
    expect(await inGroup()).toEqual([a, b, c]);
    const answers = await Promise.all([undo(moveIdOf(moved)), undo(moveIdOf(moved))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ count: 3 });
    expect(await inGroup(other)).toEqual([a]);
    expect(await inGroup(null)).toEqual([b, c]);
    expect(await undo(moveIdOf(moved))).toMatchObject(gone);
    const { body } = await server.call('listAuditEvents', {
      as: admin,
      params: { organizationId: organization },
      query: { action: 'controllers.returned' },
    });
    expect(body).toMatchObject({ count: 1, results: [{ subject: 'group', details: { count: 3 } }] });
  });

  it('a move out of groups is undone for those that are still in none', async () => {
    const [a, b, c] = serialNumbers;
    const later = await fixture.createId(organization, 'later');
    await fixture.attach(group, { controllers: [a, b, c] });
    const moved = await fixture.detach({ filter: { organization_id: organization } });
    await fixture.attach(later, { controllers: [b] });
    expect(await undo(moveIdOf(moved))).toMatchObject({ status: 200, body: { count: 2 } });
    expect(await inGroup()).toEqual([a, c]);
    expect(await inGroup(later)).toEqual([b]);
  });

  it('a controller whose former group is gone stays where the move put it', async () => {
    const [a] = serialNumbers;
    const former = await fixture.createId(organization, 'former');
    await fixture.attach(former, { controllers: [a] });
    const moved = await fixture.attach(group, { controllers: [a] });
    await server.call('deleteGroup', { as: admin, params: { groupId: former } });
    expect(await undo(moveIdOf(moved))).toMatchObject({ status: 200, body: { count: 0 } });
    expect(await inGroup()).toEqual([a]);
  });

  it('a move of nothing has nothing to undo, and one of 15 seconds ago stays', async () => {
    const [a] = serialNumbers;
    const moved = await fixture.attach(group, { controllers: [a] });
    expect(await fixture.attach(group, { controllers: [a] })).toMatchObject({
      body: { count: 1, moveId: null },
    });
    server.clock.advance(16_000);
    expect(await undo(moveIdOf(moved))).toMatchObject(gone);
    expect(await inGroup()).toEqual([a]);
  });

  it('a move is undone by nobody else’s organization, and not as the deletion of a group', async () => {
    const [a] = serialNumbers;
    const stranger = await server.createUser();
    await server.createOrganization(stranger, 'Elsewhere');
    const moveId = moveIdOf(await fixture.attach(group, { controllers: [a] }));
    expect(await undo(moveId, stranger)).toMatchObject(gone);
    const restored = await server.call('restoreGroup', { as: admin, params: { groupId: moveId } });
    expect(restored.status).toBe(404);
    await server.call('deleteGroup', { as: admin, params: { groupId: group } });
    expect(await undo(group)).toMatchObject(gone);
  });

  it('a group goes back by its parent, unless it has been moved on meanwhile', async () => {
    const first = await fixture.createId(organization, 'first');
    const second = await fixture.createId(organization, 'second');
    const move = (body: object) =>
      server.call('updateGroup', { as: admin, params: { groupId: group }, body });
    await move({ parent: first });
    expect(await move({ parent: null, expectedParent: second })).toMatchObject({
      status: 409,
      body: { code: 'group_moved' },
    });
    expect(await move({ parent: null, expectedParent: first })).toMatchObject({
      status: 200,
      body: { parent: null },
    });
    expect((await move({ parent: second, expectedParent: null })).status).toBe(200);
  });
});
