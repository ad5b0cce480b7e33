import { type GrantRole, limits } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { createInviteFixture } from '../organizations/invites/invite.fixture.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** Coming to a part of the tree by an invite, and leaving it. */

let server: TestServer;
let fixture: PartFixture;
let admin: TestUser;
let member: TestUser;
let partAdmin: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  ({ admin, member, partAdmin } = await fixture.addPeople());
});

const forbidden = { status: 403, body: { code: 'role_forbidden' } };

describe('people with a part', () => {
  /** Somebody who is asked by the admin of the part, and the token they get. */
  async function inviteToHall(role: GrantRole) {
    const invites = createInviteFixture(server, fixture.organizationId);
    const guest = await server.createUser();
    const params = { organizationId: fixture.organizationId };
    const body = { email: guest.email, role, scope: fixture.ofGroup('hall') };
    const asked = await server.call('inviteUser', { as: partAdmin, params, body });
    const token = (asked.body as { inviteUrl: string }).inviteUrl.split('?token=')[1] ?? '';
    return { invites, guest, token };
  }

  it('see no members, and may leave by either call', async () => {
    const params = { organizationId: fixture.organizationId };
    expect(await server.call('listMembers', { as: partAdmin, params })).toMatchObject(forbidden);
    expect(
      await server.call('removeMember', { as: partAdmin, params: { ...params, userId: member.id } }),
    ).toMatchObject(forbidden);
    const own = { ...params, userId: partAdmin.id };
    expect((await server.call('removeMember', { as: partAdmin, params: own })).status).toBe(204);
    expect(await fixture.listNames(partAdmin)).toEqual([]);
    const viewer = await server.createUser();
    await fixture.grant(viewer, 'viewer', { groupId: fixture.groups.hall });
    await fixture.grant(viewer, 'viewer', { controllerId: fixture.controllers.none.id });
    expect((await server.call('leaveOrganization', { as: viewer, params })).status).toBe(204);
    expect(await fixture.list(admin, { subject: viewer.id })).toEqual([]);
    expect(await server.call('leaveOrganization', { as: viewer, params })).toMatchObject({ status: 404 });
  });

  it('lose all of it when they are removed', async () => {
    await fixture.grant(member, 'admin', { groupId: fixture.groups.hall });
    const { organizationId } = fixture;
    const remove = ({ id: userId }: TestUser, as = fixture.owner) =>
      server.call('removeMember', { as, params: { organizationId, userId } });
    expect(await remove(partAdmin, admin)).toMatchObject(forbidden);
    for (const user of [member, partAdmin]) {
      expect((await remove(user)).status).toBe(204);
      expect(await fixture.listNames(user)).toEqual([]);
      expect(await fixture.list(admin, { subject: user.id })).toEqual([]);
    }
  });

  it('an admin’s right that is over keeps nobody from being removed', async () => {
    await fixture.grant(member, 'admin', { groupId: fixture.groups.hall }, new Date(Date.now() - 1000));
    const params = { organizationId: fixture.organizationId, userId: member.id };
    expect((await server.call('removeMember', { as: admin, params })).status).toBe(204);
  });

  it('people are invited to a part', async () => {
    const invites = createInviteFixture(server, fixture.organizationId);
    const guest = await server.createUser();
    const params = { organizationId: fixture.organizationId };
    const invite = (as: TestUser, body: object) =>
      server.call('inviteUser', { as, params, body: { email: guest.email, ...body } });
    expect(await invite(partAdmin, { role: 'viewer' })).toMatchObject(forbidden);
    expect(await invite(partAdmin, { role: 'viewer', scope: fixture.ofGroup('south') })).toMatchObject(
      forbidden,
    );
    expect(await invite(partAdmin, { role: 'admin', scope: fixture.ofGroup('hall') })).toMatchObject(
      forbidden,
    );
    const asked = await invite(partAdmin, { role: 'member', scope: fixture.ofGroup('hall') });
    expect(asked.status).toBe(200);
    expect((await server.call('listInvites', { as: partAdmin, params })).body).toMatchObject([
      { email: guest.email, role: 'member', scope: { type: 'group', name: 'Hall' } },
    ]);
    const token = (asked.body as { inviteUrl: string }).inviteUrl.split('?token=')[1] ?? '';
    expect(await invites.accept(guest, token)).toMatchObject({
      status: 200,
      body: { userRole: 'member', isPartial: true },
    });
    expect(await fixture.listNames(guest)).toEqual(['HALL']);
    expect(await invites.roleOf(guest)).toBeUndefined();
  });

  it.each([
    ['a group', 'Hall', () => fixture.ofGroup('hall')],
    ['a controller', 'HALL', () => fixture.ofController('hall')],
  ])(
    'an invite to %s is recorded with what people call it, and so is its acceptance',
    async (_, name, at) => {
      const invites = createInviteFixture(server, fixture.organizationId);
      const guest = await server.createUser();
      const until = new Date(Date.now() + 3600_000).toISOString();
      const asked = await server.call('inviteUser', {
        as: admin,
        params: { organizationId: fixture.organizationId },
        body: { email: guest.email, role: 'member', scope: at(), until },
      });
      const token = (asked.body as { inviteUrl: string }).inviteUrl.split('?token=')[1] ?? '';
      expect((await invites.accept(guest, token)).status).toBe(200);
      const place = name === 'Hall' ? name : fixture.controllers.hall.serialNumber;
      expect(await fixture.listEvents('member')).toEqual([
        {
          action: 'member.invited',
          user_id: admin.id,
          subject: guest.email,
          details: { role: 'member', place },
        },
        {
          action: 'member.joined',
          user_id: guest.id,
          subject: guest.email,
          details: { role: 'member', place, expiresAt: until },
        },
      ]);
    },
  );

  it('an invite to a part counts among the rights that somebody may have', async () => {
    const { invites, guest, token } = await inviteToHall('viewer');
    const createdAt = server.clock.now();
    const full = Array.from({ length: limits.grantsPerSubject }, () => ({
      id: createId(),
      organization_id: fixture.organizationId,
      subject_user_id: guest.id,
      group_id: createId(),
      role: 'viewer' as const,
      created_at: createdAt,
    }));
    await server.db.insertInto('grants').values(full).execute();
    expect(await invites.accept(guest, token)).toMatchObject({
      status: 409,
      body: { code: 'grants_limit_reached' },
    });
    await server.db
      .deleteFrom('grants')
      .where('id', '=', full[0]?.id ?? '')
      .execute();
    expect((await invites.accept(guest, token)).status).toBe(200);
  });

  it('an invite to a part is worth nothing once its maker has lost the right there', async () => {
    const { invites, guest, token } = await inviteToHall('member');
    await server.db.deleteFrom('grants').where('subject_user_id', '=', partAdmin.id).execute();
    expect(await invites.accept(guest, token)).toMatchObject({
      status: 400,
      body: { code: 'invite_invalid' },
    });
    expect(await fixture.listNames(guest)).toEqual([]);
  });
});
