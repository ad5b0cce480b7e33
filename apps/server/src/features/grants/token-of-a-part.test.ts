import type { Grant, Permission, RouteName } from '@pult/contract';
import { type CallOptions, createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addToken, bearer } from '../accounts/tokens/tokens.fixture.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** What a program does by the token of somebody who has a part of an organization. */

let server: TestServer;
let fixture: PartFixture;
/** An admin of Plant, with Hall under it. */
let user: TestUser;
let grantId: string;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  user = await server.createUser();
  grantId = await fixture.grant(user, 'admin', { groupId: fixture.groups.plant });
});

const atOrganization = () => ({ params: { organizationId: fixture.organizationId } });
async function makeCaller(scopes: readonly Permission[], owner = user) {
  const headers = bearer(await addToken(server, owner, scopes));
  return (name: RouteName, options: CallOptions = {}) => server.call(name, { ...options, headers });
}

const listed = ({ body }: { body: unknown }) =>
  (body as { results: { serialNumber: string }[] }).results
    .map(({ serialNumber }) => serialNumber.replace(`${fixture.prefix}-`, ''))
    .sort();

it('a token of somebody with a part shows that part, and nothing once the right has ended', async () => {
  const call = await makeCaller(['controllers.read', 'audit.read', 'groups.read']);
  expect(listed(await call('listControllers'))).toEqual(['HALL', 'PLANT']);
  expect((await call('countControllers')).body).toMatchObject({ count: 2 });
  expect((await call('listOrganizations')).body).toMatchObject([{ isPartial: true, userRole: 'admin' }]);
  const outside = { params: { serialNumber: fixture.controllers.south.serialNumber } };
  expect(await call('getController', outside)).toMatchObject({
    status: 404,
    body: { code: 'controller_not_found' },
  });
  const inside = { params: { serialNumber: fixture.controllers.hall.serialNumber } };
  expect((await call('getController', inside)).status).toBe(200);

  await server.db.deleteFrom('grants').where('id', '=', grantId).execute();
  expect(listed(await call('listControllers'))).toEqual([]);
  expect((await call('getController', inside)).status).toBe(404);
  expect((await call('listOrganizations')).body).toEqual([]);
});

it('a token shows the rights of a part, gives and ends them by the scope of that name alone', async () => {
  const helper = await server.createUser();
  await fixture.grant(helper, 'viewer', { groupId: fixture.groups.plant });
  const body = { subject: { type: 'user', id: helper.id }, scope: fixture.ofGroup('hall'), role: 'member' };
  const forbidden = { status: 403, body: { code: 'token_forbidden' } };

  const weak = await makeCaller(['controllers.read', 'members.manage', 'members.invite', 'groups.manage']);
  expect(await weak('listGrants', atOrganization())).toMatchObject(forbidden);
  expect(await weak('createGrant', { ...atOrganization(), body })).toMatchObject(forbidden);
  expect(await weak('deleteGrant', { params: { ...atOrganization().params, grantId } })).toMatchObject(
    forbidden,
  );

  const call = await makeCaller(['grants.manage']);
  const made = await call('createGrant', { ...atOrganization(), body });
  expect(made).toMatchObject({ status: 201, body: { role: 'member' } });
  const south = { ...body, scope: fixture.ofGroup('south') };
  expect(await call('createGrant', { ...atOrganization(), body: south })).toMatchObject({
    status: 403,
    body: { code: 'role_forbidden' },
  });
  const grants = (await call('listGrants', atOrganization())).body as Grant[];
  expect(grants.map(({ scope }) => scope.name).sort()).toEqual(['Hall', 'Plant', 'Plant']);
  const end = { params: { ...atOrganization().params, grantId: (made.body as Grant).id ?? '' } };
  expect((await call('deleteGrant', end)).status).toBe(204);
});

it('a token of a member has no more than the role leaves where a part gives more', async () => {
  const member = await server.createUser();
  await server.addMember(fixture.organizationId, member, 'viewer');
  await fixture.grant(member, 'admin', { groupId: fixture.groups.hall });
  const call = await makeCaller(['controllers.read', 'controllers.update'], member);
  expect(listed(await call('listControllers'))).toHaveLength(5);
  const update = (name: keyof PartFixture['controllers']) =>
    call('updateController', {
      params: { serialNumber: fixture.controllers[name].serialNumber },
      body: { description: 'By a program' },
    });
  expect((await update('hall')).status).toBe(200);
  expect(await update('south')).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
});

it('a token moves a controller by groups.attach alone, also where it may change all else of it', async () => {
  const { serialNumber, id } = fixture.controllers.plant;
  const params = { serialNumber };
  const groupOf = () =>
    server.db.selectFrom('controllers').select('group_id').where('id', '=', id).executeTakeFirstOrThrow();

  const weak = await makeCaller(['controllers.read', 'controllers.update']);
  for (const group of [fixture.groups.hall, null]) {
    expect(await weak('updateController', { params, body: { group } })).toMatchObject({
      status: 403,
      body: { code: 'token_forbidden' },
    });
  }
  expect((await weak('updateController', { params, body: { description: 'Pump' } })).status).toBe(200);
  expect(await groupOf()).toEqual({ group_id: fixture.groups.plant });

  const call = await makeCaller(['controllers.update', 'groups.attach']);
  const body = { group: fixture.groups.hall };
  expect((await call('updateController', { params, body })).status).toBe(200);
  expect(await groupOf()).toEqual({ group_id: fixture.groups.hall });
});

it('a token invites to a part by grants.manage, for what comes of it is a right', async () => {
  const invite = { email: 'helper@example.com', role: 'member', scope: fixture.ofGroup('hall') };
  const weak = await makeCaller(['members.invite']);
  expect(await weak('inviteUser', { ...atOrganization(), body: invite })).toMatchObject({
    status: 403,
    body: { code: 'token_forbidden' },
  });
  expect((await weak('listInvites', atOrganization())).body).toEqual([]);
  const call = await makeCaller(['members.invite', 'grants.manage']);
  expect((await call('inviteUser', { ...atOrganization(), body: invite })).status).toBe(200);
});

it('a token without controllers.read is shown groups, and not which controllers match a text', async () => {
  const [weak, call] = [await makeCaller(['audit.read']), await makeCaller(['controllers.read'])];
  const query = { organization_id: fixture.organizationId };
  expect((await weak('listGroups', { query })).status).toBe(200);
  for (const filter of ['search', 'serial_number', 'description']) {
    const filtered = { query: { ...query, [filter]: 'HALL' } };
    expect(await weak('listGroups', filtered)).toMatchObject({
      status: 403,
      body: { code: 'token_forbidden' },
    });
    expect((await call('listGroups', filtered)).status).toBe(200);
  }
});
