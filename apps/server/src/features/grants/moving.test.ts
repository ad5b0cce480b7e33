import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** Controllers and groups that people move whose rights come from parts of the tree. */

let server: TestServer;
let fixture: PartFixture;
/** Of Plant, with Hall under it. */
let member: TestUser;
let admin: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  [member, admin] = [await server.createUser(), await server.createUser()];
  await fixture.grant(member, 'member', { groupId: fixture.groups.plant });
  await fixture.grant(admin, 'admin', { groupId: fixture.groups.plant });
});

const forbidden = { status: 403, body: { code: 'role_forbidden' } };
const serialOf = (name: keyof PartFixture['controllers']) => fixture.controllers[name].serialNumber;
const attach = (as: TestUser, group: keyof PartFixture['groups'], body: object) =>
  server.call('attachControllers', { as, params: { groupId: fixture.groups[group] }, body });
const detach = (as: TestUser, body: object) => server.call('detachControllers', { as, body });
const groupOf = async (name: keyof PartFixture['controllers']) => {
  const { id } = fixture.controllers[name];
  const row = await server.db
    .selectFrom('controllers')
    .select('group_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.group_id;
};

describe('controllers', () => {
  it('controllers are moved within a part by whoever may attach at both ends', async () => {
    expect(await attach(member, 'hall', { controllers: [serialOf('plant')] })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
    expect(await groupOf('plant')).toBe(fixture.groups.hall);
    const params = { serialNumber: serialOf('plant') };
    const body = { group: fixture.groups.plant };
    expect((await server.call('updateController', { as: member, params, body })).status).toBe(200);
    expect(await groupOf('plant')).toBe(fixture.groups.plant);
  });

  it('controllers are not moved into what is outside, nor taken from there', async () => {
    const outside = { status: 404, body: { code: 'group_not_found' } };
    for (const user of [member, admin]) {
      expect(await attach(user, 'south', { controllers: [serialOf('plant')] })).toMatchObject(outside);
      expect(await attach(user, 'north', { controllers: [serialOf('plant')] })).toMatchObject(outside);
      expect(await attach(user, 'hall', { controllers: [serialOf('south')] })).toMatchObject({
        status: 404,
        body: { code: 'controller_not_found' },
      });
      const params = { serialNumber: serialOf('plant') };
      const answer = await server.call('updateController', {
        as: user,
        params,
        body: { group: fixture.groups.south },
      });
      expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['group']]);
    }
    expect(await groupOf('south')).toBe(fixture.groups.south);
  });

  it('controllers moved by a filter are those of the part alone', async () => {
    const filter = { organization_id: fixture.organizationId };
    expect(await attach(member, 'hall', { filter })).toMatchObject({ body: { count: 2 } });
    expect(await groupOf('south')).toBe(fixture.groups.south);
    expect(await groupOf('none')).toBeNull();
  });

  it('controllers are not moved where one only looks', async () => {
    await fixture.grant(member, 'viewer', { groupId: fixture.groups.south });
    expect(await attach(member, 'hall', { controllers: [serialOf('south')] })).toMatchObject(forbidden);
    expect(await attach(member, 'south', { controllers: [serialOf('hall')] })).toMatchObject(forbidden);
    const filter = { organization_id: fixture.organizationId, group_ids: fixture.groups.south };
    expect(await attach(member, 'hall', { filter })).toMatchObject({ body: { count: 0 } });
  });

  it('controllers are not moved to where one has a stronger role than at them, by whatever gives it', async () => {
    const colleague = await server.createUser();
    await server.addMember(fixture.organizationId, colleague, 'member');
    for (const user of [member, colleague]) {
      await fixture.grant(user, 'admin', { groupId: fixture.groups.south });
      expect(await attach(user, 'south', { controllers: [serialOf('plant')] })).toMatchObject(forbidden);
      const filter = { organization_id: fixture.organizationId, group_ids: fixture.groups.plant };
      expect(await attach(user, 'south', { filter })).toMatchObject({ body: { count: 0 } });
      const params = { serialNumber: serialOf('plant') };
      const body = { group: fixture.groups.south };
      expect(await server.call('updateController', { as: user, params, body })).toMatchObject(forbidden);
      expect(await groupOf('plant')).toBe(fixture.groups.plant);
    }
    // The other way nobody gets more.
    expect(await attach(colleague, 'hall', { controllers: [serialOf('south')] })).toMatchObject({
      status: 200,
      body: { count: 1 },
    });
    await fixture.grant(admin, 'admin', { groupId: fixture.groups.south });
    expect(await attach(admin, 'south', { controllers: [serialOf('plant')] })).toMatchObject({
      body: { count: 1 },
    });
    expect(await attach(fixture.owner, 'south', { controllers: [serialOf('none')] })).toMatchObject({
      body: { count: 1 },
    });
  });

  it('controllers are taken out of the part by its admin alone', async () => {
    const params = { serialNumber: serialOf('hall') };
    const body = { group: null };
    expect(await detach(member, { controllers: [serialOf('plant')] })).toMatchObject(forbidden);
    expect(await server.call('updateController', { as: member, params, body })).toMatchObject(forbidden);
    expect(await detach(admin, { controllers: [serialOf('plant')] })).toMatchObject({ body: { count: 1 } });
    expect(await server.call('updateController', { as: admin, params, body })).toMatchObject({
      status: 200,
      body: { serialNumber: serialOf('hall'), group: null },
    });
    expect([await groupOf('plant'), await groupOf('hall')]).toEqual([null, null]);
    expect(await fixture.listNames(admin)).toEqual([]);
    expect((await server.call('getController', { as: admin, params })).status).toBe(404);
  });

  it('controllers moved by a filter out of the part are those that one administers', async () => {
    const filter = { organization_id: fixture.organizationId };
    expect(await detach(member, { filter })).toMatchObject({ body: { count: 0 } });
    expect(await detach(admin, { filter })).toMatchObject({ body: { count: 2 } });
    expect(await groupOf('south')).toBe(fixture.groups.south);
  });

  it('go back by whoever may attach where they are and where they were', async () => {
    const moved = await attach(member, 'hall', { controllers: [serialOf('plant')] });
    const undo = (as: TestUser, answer: { body: unknown }) =>
      server.call('undoMove', { as, params: { moveId: (answer.body as { moveId: string }).moveId } });
    expect(await undo(member, moved)).toMatchObject({ status: 200, body: { count: 1 } });
    const taken = await detach(admin, { controllers: [serialOf('plant')] });
    expect(await undo(admin, taken)).toMatchObject(forbidden);
    expect(await undo(fixture.owner, taken)).toMatchObject({ body: { count: 1 } });
    expect(await groupOf('plant')).toBe(fixture.groups.plant);
  });
});

describe('groups', () => {
  const update = (as: TestUser, group: keyof PartFixture['groups'], body: object) =>
    server.call('updateGroup', { as, params: { groupId: fixture.groups[group] }, body });
  const create = (as: TestUser, parent: string | null) =>
    server.call('createGroup', { as, body: { name: 'New', parent, organization: fixture.organizationId } });

  it('groups are made, renamed, moved and deleted within a part by its admin', async () => {
    expect((await create(member, fixture.groups.hall)).status).toBe(403);
    expect((await create(admin, fixture.groups.plant)).status).toBe(201);
    expect((await update(admin, 'hall', { name: 'Boiler hall' })).status).toBe(200);
    expect(await update(member, 'hall', { name: 'x' })).toMatchObject(forbidden);
    const params = { groupId: fixture.groups.hall };
    expect((await server.call('deleteGroup', { as: admin, params })).status).toBe(204);
    expect(await fixture.listNames(admin)).toEqual(['PLANT']);
    expect((await server.call('restoreGroup', { as: admin, params })).status).toBe(200);
    expect(await fixture.listNames(admin)).toEqual(['HALL', 'PLANT']);
  });

  it('groups outside a part are neither there, nor a place for what is in it', async () => {
    const outside = { status: 404, body: { code: 'group_not_found' } };
    expect(await update(admin, 'south', { name: 'x' })).toMatchObject(outside);
    expect(await update(admin, 'north', { name: 'x' })).toMatchObject(outside);
    const params = { groupId: fixture.groups.north };
    expect(await server.call('deleteGroup', { as: admin, params })).toMatchObject(outside);
    expect(await server.call('getGroupTrafficBudget', { as: admin, params })).toMatchObject(outside);
    for (const parent of [null, fixture.groups.north, fixture.groups.south]) {
      expect(await create(admin, parent)).toMatchObject(forbidden);
      if (parent !== fixture.groups.north)
        expect(await update(admin, 'plant', { parent })).toMatchObject(forbidden);
    }
    expect(await update(admin, 'hall', { parent: null })).toMatchObject(forbidden);
  });
});
