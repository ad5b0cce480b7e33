import { type Organization, roles } from '@pult/contract';
import {
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteFixture } from './invites/invite.fixture.ts';
import { confirm, giveSecondFactor } from './second-factor.fixture.ts';

let server: TestServer;
let owner: TestUser;
let guest: TestUser;
let organization: string;
let devices = 0;

beforeAll(async () => {
  server = await createTestServer();
  [owner, guest] = [await server.createUser(), await server.createUser()];
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating');
});

const update = (as: TestUser, body: unknown) =>
  server.call('updateOrganization', { as, params: { organizationId: organization }, body });
const remove = (as: TestUser) =>
  server.call('deleteOrganization', { as, params: { organizationId: organization } });
const auditOf = (action: string) =>
  server.db
    .selectFrom('audit_events')
    .select(['user_id', 'subject', 'details'])
    .where('organization_id', '=', organization)
    .where('action', '=', action)
    .orderBy('id')
    .execute();
const exists = async () =>
  (await server.db.selectFrom('organizations').select('id').where('id', '=', organization).execute()).length >
  0;

/** Calls while watching what the server says has ended. */
async function endingsOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const ended: unknown[] = [];
  const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
  await act();
  stop();
  return ended;
}

describe('renaming an organization', () => {
  // spec: 7.36
  it('answers and records the new name', async () => {
    expect(await update(owner, { name: ' Водоканал ' })).toMatchObject({
      status: 200,
      body: { id: organization, name: 'Водоканал', totpRequired: false, userRole: 'owner' },
    });
    const listed = (await server.call('listOrganizations', { as: owner })).body as Organization[];
    expect(listed.find(({ id }) => id === organization)?.name).toBe('Водоканал');
    expect(await auditOf('organization.updated')).toEqual([
      { user_id: owner.id, subject: 'Heating', details: { name: 'Водоканал' } },
    ]);
  });

  it('changes and records nothing when nothing is new', async () => {
    for (const body of [{}, { name: 'Heating' }, { totpRequired: false }]) {
      expect(await update(owner, body)).toMatchObject({ status: 200, body: { name: 'Heating' } });
    }
    expect(await auditOf('organization.updated')).toEqual([]);
  });

  it.each([
    [{ name: '' }],
    [{ name: ['x'] }],
    [{ totpRequired: 'yes' }],
    [{ totpRequired: null }],
    [{ id: 1 }],
  ])('refuses %j', async (body) => {
    const answer = await update(owner, body);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, Object.keys(body)]);
  });

  it('needs an admin', async () => {
    for (const role of roles) {
      const user = await server.createUser();
      await server.addMember(organization, user, role);
      const allowed = role === 'admin' || role === 'owner';
      expect((await update(user, { name: `by ${role}` })).status).toBe(allowed ? 200 : 403);
    }
  });
});

describe('requiring a second factor', () => {
  it('needs one’s own', async () => {
    expect(await update(owner, { totpRequired: true, name: 'x' })).toMatchObject({
      status: 409,
      body: { code: 'own_totp_required' },
    });
    expect(await auditOf('organization.updated')).toEqual([]);
  });

  it('requiring a second factor is what ends access; a new name ends nobody’s', async () => {
    await giveSecondFactor(server, owner);
    await confirm(server, owner, 'change_org_totp');
    expect(await endingsOf(() => update(owner, { name: 'New' }))).toEqual([]);
    expect(await endingsOf(() => update(owner, { totpRequired: true }))).toEqual([
      { organizationId: organization },
    ]);
    expect(await endingsOf(() => update(owner, { totpRequired: false }))).toEqual([]);
    await server.db.updateTable('users').set({ totp_secret: null }).execute();
  });
});

describe('deleting an organization', () => {
  it('makes an end of it and its invites, and records it', async () => {
    const fixture = createInviteFixture(server, organization);
    const token = await fixture.tokenFor(owner, 'deleted@example.com');
    const ended = await endingsOf(async () => {
      expect(await remove(owner)).toMatchObject({ status: 204, body: undefined });
    });
    expect(ended).toEqual([{ organizationId: organization }]);
    expect(await exists()).toBe(false);
    expect((await fixture.validate(token)).status).toBe(400);
    expect(await fixture.mailsTo('deleted@example.com')).toEqual([]);
    expect(await auditOf('organization.deleted')).toEqual([
      { user_id: owner.id, subject: 'Heating', details: {} },
    ]);
    expect(await remove(owner)).toMatchObject({ status: 404, body: { code: 'organization_not_found' } });
  });

  it('deleting an organization is refused while it has another member or a controller', async () => {
    const notEmpty = { status: 409, body: { code: 'organization_not_empty' } };
    await server.addMember(organization, guest, 'viewer');
    expect(await remove(owner)).toMatchObject(notEmpty);
    await server.db.deleteFrom('memberships').where('user_id', '=', guest.id).execute();
    const { id } = await createTestController(server, { organizationId: organization });
    expect(await remove(owner)).toMatchObject(notEmpty);
    await server.db.deleteFrom('controllers').where('id', '=', id).execute();
    expect((await remove(owner)).status).toBe(204);
  });

  it('deleting an organization is confirmed by a code where its owner has a second factor', async () => {
    await giveSecondFactor(server, owner);
    expect(await remove(owner)).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    expect(await exists()).toBe(true);
    await confirm(server, owner, 'delete_organization');
    expect((await remove(owner)).status).toBe(204);
    await server.db.updateTable('users').set({ totp_secret: null }).execute();
  });

  it('needs an owner', async () => {
    const admin = await server.createUser();
    await server.addMember(organization, admin, 'admin');
    expect(await remove(admin)).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
  });

  it('deleting an organization that races with an activation leaves no controller without an organization, and no error', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 30; round += 1) {
      organization = await server.createOrganization(owner);
      devices += 1;
      const serialNumber = `RACE-${devices}`;
      const token = tokenOf(await enrolTestDevice(server, createTestDevice(serialNumber)));
      server.clock.advance(1000); // one more enrolment is allowed each second
      const [deleted, claimed] = await Promise.all([
        remove(owner),
        server.call('activateController', { as: owner, body: { token, organization } }),
      ]);
      outcomes.add(`${deleted.status} ${claimed.status}`);
      expect(await exists()).toBe(claimed.status === 200);
    }
    for (const outcome of outcomes) expect(['204 404', '409 200']).toContain(outcome);
  });

  it('deleting an organization that races with somebody’s joining leaves no member without an organization, and no error', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      organization = await server.createOrganization(owner);
      const fixture = createInviteFixture(server, organization);
      const token = await fixture.tokenFor(owner, guest.email);
      const [deleted, joined] = await Promise.all([remove(owner), fixture.accept(guest, token)]);
      outcomes.add(`${deleted.status} ${joined.status}`);
      expect(await exists()).toBe(joined.status === 200);
    }
    for (const outcome of outcomes) expect(['204 400', '409 200']).toContain(outcome);
  });
});
