import {
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let server: TestServer;
let owner: TestUser;
let viewer: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
});
afterAll(() => server.close());
beforeEach(async () => {
  viewer = await server.createUser();
  organization = await server.createOrganization(owner, 'Heating');
  await server.addMember(organization, viewer, 'viewer');
});

async function refusals() {
  const events = await server.db
    .selectFrom('audit_events')
    .select(['user_id', 'subject', 'address', 'details'])
    .where('organization_id', '=', organization)
    .where('action', '=', 'access.refused')
    .orderBy('id')
    .execute();
  for (const event of events) expect(event).toMatchObject({ user_id: viewer.id, address: '127.0.0.1' });
  return events.map(({ subject, details }) => [subject, (details as { route: string }).route]);
}

it('names the member, the call and what it was about, whichever way it went', async () => {
  const { serialNumber } = await createTestController(server, { organizationId: organization });
  const device = createTestDevice('REFUSED-1');
  const token = tokenOf(await enrolTestDevice(server, device));
  const params = { organizationId: organization };
  const as = viewer;
  await server.call('updateOrganization', { as, params, body: { name: 'x' } });
  await server.call('inviteUser', { as, params, body: { email: 'a@example.com' } });
  await server.call('deleteController', { as, params: { serialNumber } });
  await server.call('openTunnel', { as, params: { serialNumber, protocol: 'ssh' } });
  await server.call('activateController', { as, body: { token, organization } });
  expect(await refusals()).toEqual([
    ['Heating', 'updateOrganization'],
    ['Heating', 'inviteUser'],
    [serialNumber, 'deleteController'],
    [serialNumber, 'openTunnel'],
    ['REFUSED-1', 'activateController'],
  ]);
});

it('tells of a role that an admin may not touch', async () => {
  const admin = viewer;
  await server.db.updateTable('memberships').set({ role: 'admin' }).where('user_id', '=', admin.id).execute();
  const params = { organizationId: organization, userId: owner.id };
  await server.call('removeMember', { as: admin, params });
  await server.call('inviteUser', { as: admin, params, body: { email: 'a@example.com', role: 'owner' } });
  expect(await refusals()).toEqual([
    [owner.email, 'removeMember'],
    ['a@example.com', 'inviteUser'],
  ]);
});

it('writes one event a minute however often and however parallel it is tried', async () => {
  const params = { organizationId: organization };
  const tryOnce = () => server.call('deleteOrganization', { as: viewer, params });
  for (const { status } of await Promise.all(Array.from({ length: 30 }, tryOnce))) expect(status).toBe(403);
  expect(await refusals()).toHaveLength(1);
  server.clock.advance(60_000);
  await tryOnce();
  expect(await refusals()).toHaveLength(2);
});

it('knows an organization again however its id is written', async () => {
  const admin = viewer;
  await server.db.updateTable('memberships').set({ role: 'admin' }).where('user_id', '=', admin.id).execute();
  for (const organizationId of [organization, organization.toUpperCase()]) {
    const body = { email: 'a@example.com', role: 'owner' };
    await server.call('inviteUser', { as: admin, params: { organizationId }, body });
  }
  expect(await refusals()).toEqual([['a@example.com', 'inviteUser']]);
});

it('the audit log does not record what strangers try', async () => {
  const params = { organizationId: organization };
  await server.call('deleteOrganization', { as: await server.createUser(), params });
  expect(await refusals()).toEqual([]);
});
