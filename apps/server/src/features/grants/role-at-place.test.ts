import type { Controller, GrantRole, Group, Role } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addToken, bearer } from '../accounts/tokens/tokens.fixture.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** What answers about controllers and groups say of the caller's role there. */

let server: TestServer;
let fixture: PartFixture;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  user = await server.createUser();
});

const join = (role: Role) => server.addMember(fixture.organizationId, user, role);
const grant = (role: GrantRole, name: keyof PartFixture['groups']) =>
  fixture.grant(user, role, { groupId: fixture.groups[name] });
const of = (controllers: readonly Controller[]) =>
  Object.fromEntries(
    controllers.map(({ serialNumber, userRole }) => [
      serialNumber.replace(`${fixture.prefix}-`, '').toLowerCase(),
      userRole,
    ]),
  );

async function listRoles() {
  const query = { organization_id: fixture.organizationId };
  const answer = await server.call('listControllers', { as: user, query });
  return of((answer.body as { results: Controller[] }).results);
}

async function getRole(name: keyof PartFixture['controllers']) {
  const { serialNumber } = fixture.controllers[name];
  const answer = await server.call('getController', { as: user, params: { serialNumber } });
  return (answer.body as Controller).userRole;
}

async function listGroupRoles() {
  const query = { organization_id: fixture.organizationId };
  const answer = await server.call('listGroups', { as: user, query });
  const roles: Record<string, Role | undefined> = {};
  const collect = (groups: readonly Group[]) => {
    for (const { name, userRole, subgroups } of groups) {
      roles[name] = userRole;
      collect(subgroups);
    }
  };
  collect(answer.body as Group[]);
  return roles;
}

it('the role at a controller is that in the organization for a member without grants', async () => {
  await join('member');
  expect(await listRoles()).toEqual({
    none: 'member',
    north: 'member',
    plant: 'member',
    hall: 'member',
    south: 'member',
  });
  expect(await getRole('hall')).toBe('member');
  expect(await listGroupRoles()).toEqual({
    North: 'member',
    Plant: 'member',
    Hall: 'member',
    South: 'member',
  });
});

it('the role at a controller is that of a grant where it gives more than the organization', async () => {
  await join('viewer');
  await grant('admin', 'plant');
  expect(await listRoles()).toEqual({
    none: 'viewer',
    north: 'viewer',
    plant: 'admin',
    hall: 'admin',
    south: 'viewer',
  });
  expect(await getRole('hall')).toBe('admin');
  expect(await getRole('south')).toBe('viewer');
  expect(await listGroupRoles()).toEqual({ North: 'viewer', Plant: 'admin', Hall: 'admin', South: 'viewer' });
});

it('the role at a controller stays that in the organization where a grant gives less', async () => {
  await join('admin');
  await grant('viewer', 'plant');
  expect(new Set(Object.values(await listRoles()))).toEqual(new Set(['admin']));
  expect(new Set(Object.values(await listGroupRoles()))).toEqual(new Set(['admin']));
});

it('the role at a controller is not taken from a stronger grant elsewhere', async () => {
  await grant('viewer', 'south');
  await grant('admin', 'hall');
  expect(await listRoles()).toEqual({ hall: 'admin', south: 'viewer' });
  expect(await getRole('hall')).toBe('admin');
  expect(await getRole('south')).toBe('viewer');
  // On the way to what is theirs they are nothing.
  expect(await listGroupRoles()).toEqual({
    North: undefined,
    Plant: undefined,
    Hall: 'admin',
    South: 'viewer',
  });
});

it('the role at a controller is the strongest of all grants that reach it, and of none that has ended', async () => {
  await grant('viewer', 'north');
  await grant('member', 'hall');
  await fixture.grant(user, 'admin', { controllerId: fixture.controllers.plant.id });
  await fixture.grant(user, 'admin', { controllerId: fixture.controllers.hall.id }, new Date(0));
  expect(await listRoles()).toEqual({ north: 'viewer', plant: 'admin', hall: 'member' });
  expect(await listGroupRoles()).toEqual({ North: 'viewer', Plant: 'viewer', Hall: 'member' });
});

it('the role at a controller is that of the holder where a token asks, whatever it is for', async () => {
  await join('viewer');
  await grant('admin', 'hall');
  const headers = bearer(await addToken(server, user, ['controllers.read']));
  const query = { organization_id: fixture.organizationId };
  const answer = await server.call('listControllers', { headers, query });
  const { hall, south } = of((answer.body as { results: Controller[] }).results);
  expect({ hall, south }).toEqual({ hall: 'admin', south: 'viewer' });
});

it('the role at a controller is told by a search and by the answer to a change too', async () => {
  await join('viewer');
  await grant('admin', 'hall');
  const query = { search: fixture.prefix };
  const found = await server.call('search', { as: user, query });
  expect(of((found.body as { controllers: Controller[] }).controllers)).toMatchObject({
    hall: 'admin',
    south: 'viewer',
  });
  const { serialNumber } = fixture.controllers.hall;
  const changed = await server.call('updateController', {
    as: user,
    params: { serialNumber },
    body: { description: 'By an admin of Hall' },
  });
  expect(changed).toMatchObject({ status: 200, body: { userRole: 'admin' } });
});

it('the role at a group is told to whoever has just made it', async () => {
  await join('viewer');
  await grant('admin', 'hall');
  const body = { name: 'Cellar', parent: fixture.groups.hall, organization: fixture.organizationId };
  expect(await server.call('createGroup', { as: user, body })).toMatchObject({
    status: 201,
    body: { userRole: 'admin' },
  });
});
