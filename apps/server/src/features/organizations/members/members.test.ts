import type { Member, Role } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteFixture, type InviteFixture } from '../invites/invite.fixture.ts';
import { createMemberFixture, type MemberFixture } from './member.fixture.ts';

let server: TestServer;
let organization: string;
let fixture: MemberFixture & InviteFixture;
let users: Record<Role | 'second', TestUser>;

beforeAll(async () => {
  server = await createTestServer();
  const [viewer, member, admin, owner, second] = await Promise.all(
    Array.from({ length: 5 }, () => server.createUser()),
  );
  if (!viewer || !member || !admin || !owner || !second) throw new Error('five users were made');
  users = { viewer, member, admin, owner, second };
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(users.owner, 'Heating');
  fixture = { ...createInviteFixture(server, organization), ...createMemberFixture(server, organization) };
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await server.addMember(organization, users[role], role);
  }
});

const forbidden = { status: 403, body: { code: 'role_forbidden' } };
const lastOwner = { status: 409, body: { code: 'last_owner' } };
const noMember = { status: 404, body: { code: 'member_not_found' } };
const noOrganization = { status: 404, body: { code: 'organization_not_found' } };

/** Everything that ended somebody's access from now on. */
function watchEndings() {
  const ended: unknown[] = [];
  const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
  return { ended, stop };
}

describe('the members', () => {
  // spec: 3.05, 7.38
  it('the members are listed by email to each of them, the second factor to who manages them', async () => {
    await server.db
      .updateTable('users')
      .set({ totp_secret: Buffer.from('encrypted') })
      .where('id', '=', users.admin.id)
      .execute();
    const joinedAt = server.clock.now().toISOString();
    const expected = (['viewer', 'member', 'admin', 'owner'] as const)
      .map((role): Member => {
        const { id: userId, email } = users[role];
        return { userId, email, role, totpEnabled: role === 'admin', joinedAt };
      })
      .sort((first, second) => (first.email < second.email ? -1 : 1));
    const params = { organizationId: organization };
    for (const role of ['admin', 'owner'] as const) {
      const answer = await server.call('listMembers', { as: users[role], params });
      expect(answer).toMatchObject({ status: 200, body: expected });
    }
    const body = expected.map((member) => ({ ...member, totpEnabled: null }));
    for (const role of ['viewer', 'member'] as const) {
      expect(await server.call('listMembers', { as: users[role], params })).toMatchObject({
        status: 200,
        body,
      });
    }
    await server.db.updateTable('users').set({ totp_secret: null }).execute();
  });

  it('the members of another organization, and what is none, are not there', async () => {
    const foreign = await server.createOrganization(users.second);
    for (const organizationId of [foreign, globalThis.crypto.randomUUID(), 'x']) {
      const params = { organizationId, userId: users.second.id };
      for (const name of ['listMembers', 'removeMember', 'leaveOrganization'] as const) {
        expect(await server.call(name, { as: users.owner, params })).toMatchObject(noOrganization);
      }
      const body = { role: 'viewer' };
      expect(await server.call('updateMember', { as: users.owner, params, body })).toMatchObject(
        noOrganization,
      );
    }
    for (const id of [users.second.id, globalThis.crypto.randomUUID(), 'x', '1'.repeat(36)]) {
      expect(await fixture.setRole(users.owner, { id }, 'viewer')).toMatchObject(noMember);
      expect(await fixture.remove(users.owner, { id })).toMatchObject(noMember);
    }
    expect(
      (await createMemberFixture(server, foreign).remove(users.second, users.second)).body,
    ).toMatchObject({
      code: 'last_owner',
    });
  });
});

describe('changing a role', () => {
  it('answers the member, and records both roles', async () => {
    const answer = await fixture.setRole(users.admin, users.viewer, 'member');
    const { id: userId, email } = users.viewer;
    expect(answer).toMatchObject({ status: 200, body: { userId, email, role: 'member' } });
    expect(await fixture.roleOf(users.viewer)).toBe('member');
    expect(await fixture.auditOf('member.role_changed')).toEqual([
      {
        action: 'member.role_changed',
        user_id: users.admin.id,
        subject: email,
        address: '127.0.0.1',
        details: { role: 'member', previousRole: 'viewer' },
      },
    ]);
  });

  it('changing a role to the same role changes and records nothing', async () => {
    expect((await fixture.setRole(users.admin, users.viewer, 'viewer')).status).toBe(200);
    expect(await fixture.auditOf('member.role_changed')).toEqual([]);
  });

  // spec: 6.01, 7.40
  it.each<[Role, Role, Role, boolean]>([
    ['admin', 'viewer', 'member', true],
    ['admin', 'member', 'viewer', true],
    ['admin', 'member', 'admin', false],
    ['admin', 'member', 'owner', false],
    ['admin', 'owner', 'member', false],
    ['admin', 'admin', 'owner', false],
    ['admin', 'admin', 'member', false],
    ['member', 'viewer', 'member', false],
    ['member', 'member', 'admin', false],
    ['viewer', 'viewer', 'owner', false],
    ['owner', 'viewer', 'owner', true],
    ['owner', 'admin', 'viewer', true],
  ])('changing a role by %s of %s to %s: %s', async (actor, target, role, allowed) => {
    const answer = await fixture.setRole(users[actor], users[target], role);
    if (allowed) expect(answer).toMatchObject({ status: 200, body: { role } });
    else expect(answer).toMatchObject(forbidden);
    expect(await fixture.roleOf(users[target])).toBe(allowed ? role : target);
  });

  it('changing a role of another admin is refused to an admin', async () => {
    await server.addMember(organization, users.second, 'admin');
    expect(await fixture.setRole(users.admin, users.second, 'viewer')).toMatchObject(forbidden);
    expect(await fixture.remove(users.admin, users.second)).toMatchObject(forbidden);
  });

  it('lets an owner step down when there is another, and not the last one', async () => {
    expect(await fixture.setRole(users.owner, users.owner, 'admin')).toMatchObject(lastOwner);
    await server.addMember(organization, users.second, 'owner');
    expect((await fixture.setRole(users.owner, users.owner, 'viewer')).status).toBe(200);
    expect(await fixture.setRole(users.second, users.second, 'admin')).toMatchObject(lastOwner);
    expect(await fixture.roleOf(users.second)).toBe('owner');
  });

  it.each([['boss'], [null], [['admin']], [{ role: 'admin' }], ['']])('refuses the role %j', async (role) => {
    const answer = await fixture.setRole(users.owner, users.viewer, role);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['role']]);
  });

  it('ends access where the role falls, and not where it grows', async () => {
    const { ended, stop } = watchEndings();
    await fixture.setRole(users.owner, users.viewer, 'admin');
    expect(ended).toEqual([]);
    await fixture.setRole(users.owner, users.viewer, 'viewer');
    stop();
    expect(ended).toEqual([{ userId: users.viewer.id, organizationId: organization }]);
  });
});

describe('removing a member', () => {
  // spec: 7.39
  it('ends their access and is recorded', async () => {
    const { ended, stop } = watchEndings();
    expect(await fixture.remove(users.admin, users.member)).toMatchObject({ status: 204, body: undefined });
    stop();
    expect(await fixture.roleOf(users.member)).toBeUndefined();
    expect(ended).toEqual([{ userId: users.member.id, organizationId: organization }]);
    const params = { organizationId: organization };
    expect(await server.call('getOrganization', { as: users.member, params })).toMatchObject(noOrganization);
    expect(await fixture.auditOf('member.removed')).toMatchObject([
      { user_id: users.admin.id, subject: users.member.email, details: { role: 'member' } },
    ]);
    expect(await fixture.remove(users.admin, users.member)).toMatchObject(noMember);
  });

  it('ends their access however the ids in the call are written', async () => {
    const { ended, stop } = watchEndings();
    const shouting = createMemberFixture(server, organization.toUpperCase());
    await shouting.remove(users.owner, { id: users.member.id.toUpperCase() });
    await shouting.setRole(users.owner, { id: users.admin.id.toUpperCase() }, 'viewer');
    await shouting.leave(users.viewer);
    stop();
    const gone = [users.member, users.admin, users.viewer];
    expect(ended).toEqual(gone.map(({ id: userId }) => ({ userId, organizationId: organization })));
  });

  it('follows the roles', async () => {
    expect(await fixture.remove(users.viewer, users.member)).toMatchObject(forbidden);
    expect(await fixture.remove(users.member, users.viewer)).toMatchObject(forbidden);
    expect(await fixture.remove(users.admin, users.owner)).toMatchObject(forbidden);
    expect((await fixture.remove(users.admin, users.viewer)).status).toBe(204);
    expect((await fixture.remove(users.owner, users.admin)).status).toBe(204);
  });

  it('removing a member of oneself is leaving', async () => {
    expect((await fixture.remove(users.admin, users.admin)).status).toBe(204);
    expect(await fixture.auditOf('member.left', 'member.removed')).toMatchObject([
      { action: 'member.left', subject: users.admin.email },
    ]);
    expect(await fixture.remove(users.owner, users.owner)).toMatchObject(lastOwner);
  });
});

describe('leaving', () => {
  // spec: 7.37
  it.each(['viewer', 'member', 'admin'] as const)('works as %s, and is recorded', async (role) => {
    const { ended, stop } = watchEndings();
    expect(await fixture.leave(users[role])).toMatchObject({ status: 204, body: undefined });
    stop();
    expect(await fixture.roleOf(users[role])).toBeUndefined();
    expect(ended).toEqual([{ userId: users[role].id, organizationId: organization }]);
    expect(await fixture.auditOf('member.left')).toMatchObject([
      { user_id: users[role].id, subject: users[role].email, details: { role } },
    ]);
    expect(await fixture.leave(users[role])).toMatchObject(noOrganization);
  });

  it('leaving is refused to the last owner, whoever else is there', async () => {
    expect(await fixture.leave(users.owner)).toMatchObject(lastOwner);
    expect(await fixture.roleOf(users.owner)).toBe('owner');
    await server.addMember(organization, users.second, 'owner');
    expect((await fixture.leave(users.owner)).status).toBe(204);
    expect(await fixture.leave(users.second)).toMatchObject(lastOwner);
  });
});
