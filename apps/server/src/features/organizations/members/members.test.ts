import type { Member, Role } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteScene, type InviteScene, logInAgain } from '../invites/invite-scene.fixture.ts';

let server: TestServer;
let organization: string;
let scene: InviteScene;
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
  scene = createInviteScene(server, organization);
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await server.addMember(organization, users[role], role);
  }
});

const setRole = (as: TestUser, user: { id: string }, role: unknown) =>
  server.call('updateMember', {
    as,
    params: { organizationId: organization, userId: user.id },
    body: { role },
  });
const remove = (as: TestUser, user: { id: string }, organizationId = organization) =>
  server.call('removeMember', { as, params: { organizationId, userId: user.id } });
const leave = (as: TestUser) =>
  server.call('leaveOrganization', { as, params: { organizationId: organization } });
const auditOf = (actions: string[]) =>
  server.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'subject', 'address', 'details'])
    .where('organization_id', '=', organization)
    .where('action', 'in', actions)
    .orderBy('id')
    .execute();

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
  it('are listed by email with role, second factor and the time of joining, to each of them', async () => {
    await server.db
      .updateTable('users')
      .set({ totp_secret: Buffer.from('sealed') })
      .where('id', '=', users.admin.id)
      .execute();
    const joinedAt = server.clock.now().toISOString();
    const expected = (['viewer', 'member', 'admin', 'owner'] as const)
      .map((role): Member => {
        const { id: userId, email } = users[role];
        return { userId, email, role, totpEnabled: role === 'admin', joinedAt };
      })
      .sort((first, second) => (first.email < second.email ? -1 : 1));
    for (const role of ['viewer', 'owner'] as const) {
      const params = { organizationId: organization };
      const answer = await server.call('listMembers', { as: users[role], params });
      expect(answer).toMatchObject({ status: 200, body: expected });
    }
    await server.db.updateTable('users').set({ totp_secret: null }).execute();
  });

  it('of another organization, and what is none, are not there', async () => {
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
    for (const id of [users.second.id, globalThis.crypto.randomUUID()]) {
      expect(await setRole(users.owner, { id }, 'viewer')).toMatchObject(noMember);
      expect(await remove(users.owner, { id })).toMatchObject(noMember);
    }
    expect((await remove(users.second, users.second, foreign)).body).toMatchObject({ code: 'last_owner' });
  });
});

describe('changing a role', () => {
  it('answers the member, and records both roles', async () => {
    const answer = await setRole(users.admin, users.viewer, 'member');
    const { id: userId, email } = users.viewer;
    expect(answer).toMatchObject({ status: 200, body: { userId, email, role: 'member' } });
    expect(await scene.roleOf(users.viewer)).toBe('member');
    expect(await auditOf(['member.role_changed'])).toEqual([
      {
        action: 'member.role_changed',
        user_id: users.admin.id,
        subject: email,
        address: '127.0.0.1',
        details: { role: 'member', previousRole: 'viewer' },
      },
    ]);
  });

  it('to the same role changes and records nothing', async () => {
    expect((await setRole(users.admin, users.viewer, 'viewer')).status).toBe(200);
    expect(await auditOf(['member.role_changed'])).toEqual([]);
  });

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
  ])('by %s of %s to %s: %s', async (actor, target, role, allowed) => {
    const answer = await setRole(users[actor], users[target], role);
    if (allowed) expect(answer).toMatchObject({ status: 200, body: { role } });
    else expect(answer).toMatchObject(forbidden);
    expect(await scene.roleOf(users[target])).toBe(allowed ? role : target);
  });

  it('of another admin is refused to an admin', async () => {
    await server.addMember(organization, users.second, 'admin');
    expect(await setRole(users.admin, users.second, 'viewer')).toMatchObject(forbidden);
    expect(await remove(users.admin, users.second)).toMatchObject(forbidden);
  });

  it('lets an owner step down when there is another, and not the last one', async () => {
    expect(await setRole(users.owner, users.owner, 'admin')).toMatchObject(lastOwner);
    await server.addMember(organization, users.second, 'owner');
    expect((await setRole(users.owner, users.owner, 'viewer')).status).toBe(200);
    expect(await setRole(users.second, users.second, 'admin')).toMatchObject(lastOwner);
    expect(await scene.roleOf(users.second)).toBe('owner');
  });

  it.each([['boss'], [null], [['admin']], [{ role: 'admin' }], ['']])('refuses the role %j', async (role) => {
    const answer = await setRole(users.owner, users.viewer, role);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['role']]);
  });

  it('ends access where the role falls, and not where it grows', async () => {
    const { ended, stop } = watchEndings();
    await setRole(users.owner, users.viewer, 'admin');
    expect(ended).toEqual([]);
    await setRole(users.owner, users.viewer, 'viewer');
    stop();
    expect(ended).toEqual([{ userId: users.viewer.id, organizationId: organization }]);
  });
});

describe('removing a member', () => {
  it('ends their access and is recorded', async () => {
    const { ended, stop } = watchEndings();
    expect(await remove(users.admin, users.member)).toMatchObject({ status: 204, body: undefined });
    stop();
    expect(await scene.roleOf(users.member)).toBeUndefined();
    expect(ended).toEqual([{ userId: users.member.id, organizationId: organization }]);
    const params = { organizationId: organization };
    expect(await server.call('getOrganization', { as: users.member, params })).toMatchObject(noOrganization);
    expect(await auditOf(['member.removed'])).toMatchObject([
      { user_id: users.admin.id, subject: users.member.email, details: { role: 'member' } },
    ]);
    expect(await remove(users.admin, users.member)).toMatchObject(noMember);
  });

  it('follows the roles', async () => {
    expect(await remove(users.viewer, users.member)).toMatchObject(forbidden);
    expect(await remove(users.member, users.viewer)).toMatchObject(forbidden);
    expect(await remove(users.admin, users.owner)).toMatchObject(forbidden);
    expect((await remove(users.admin, users.viewer)).status).toBe(204);
    expect((await remove(users.owner, users.admin)).status).toBe(204);
  });

  it('of oneself is leaving', async () => {
    expect((await remove(users.admin, users.admin)).status).toBe(204);
    expect(await auditOf(['member.left', 'member.removed'])).toMatchObject([
      { action: 'member.left', subject: users.admin.email },
    ]);
    expect(await remove(users.owner, users.owner)).toMatchObject(lastOwner);
  });
});

describe('leaving', () => {
  it.each(['viewer', 'member', 'admin'] as const)('works as %s, and is recorded', async (role) => {
    const { ended, stop } = watchEndings();
    expect(await leave(users[role])).toMatchObject({ status: 204, body: undefined });
    stop();
    expect(await scene.roleOf(users[role])).toBeUndefined();
    expect(ended).toEqual([{ userId: users[role].id, organizationId: organization }]);
    expect(await auditOf(['member.left'])).toMatchObject([
      { user_id: users[role].id, subject: users[role].email, details: { role } },
    ]);
    expect(await leave(users[role])).toMatchObject(noOrganization);
  });

  it('is refused to the last owner, whoever else is there', async () => {
    expect(await leave(users.owner)).toMatchObject(lastOwner);
    expect(await scene.roleOf(users.owner)).toBe('owner');
    await server.addMember(organization, users.second, 'owner');
    expect((await leave(users.owner)).status).toBe(204);
    expect(await leave(users.second)).toMatchObject(lastOwner);
  });
});

describe('an organization with two owners', () => {
  const acts: [string, (by: TestUser, other: TestUser) => ReturnType<typeof leave>][] = [
    ['leave', (by) => leave(by)],
    ['step down', (by) => setRole(by, by, 'viewer')],
    ['demote each other', (by, other) => setRole(by, other, 'member')],
    ['remove each other', (by, other) => remove(by, other)],
  ];

  it.each(acts)('keeps one when both %s at once, 50 times', async (_, act) => {
    const owners = [users.owner, users.second] as const;
    for (let round = 0; round < 50; round += 1) {
      await server.db.deleteFrom('memberships').where('organization_id', '=', organization).execute();
      for (const owner of owners) await server.addMember(organization, owner, 'owner');
      const answers = await Promise.all([act(owners[0], owners[1]), act(owners[1], owners[0])]);
      const done = answers.filter(({ status }) => status < 300);
      expect(done).toHaveLength(1);
      const left = await server.db
        .selectFrom('memberships')
        .select('user_id')
        .where('organization_id', '=', organization)
        .where('role', '=', 'owner')
        .execute();
      expect(left).toHaveLength(1);
    }
  });

  it('keeps one when everything races with everything, 200 times', async () => {
    const [first, second] = [users.owner, users.second];
    for (let round = 0; round < 200; round += 1) {
      await server.db.deleteFrom('memberships').where('organization_id', '=', organization).execute();
      for (const owner of [first, second]) await server.addMember(organization, owner, 'owner');
      const chosen = acts.map(([, act]) => act);
      const one = chosen[round % 4] ?? leave;
      const other = chosen[Math.floor(round / 4) % 4] ?? leave;
      const answers = await Promise.all([one(first, second), other(second, first)]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      const owners = await server.db
        .selectFrom('memberships')
        .select('user_id')
        .where('organization_id', '=', organization)
        .where('role', '=', 'owner')
        .execute();
      expect(owners.length).toBeGreaterThan(0);
    }
  });
});

describe('what a member has invited to', () => {
  const bothTokens = async () => ({
    viewer: await scene.tokenFor(users.second, 'to-view@example.com', 'viewer'),
    admin: await scene.tokenFor(users.second, 'to-administer@example.com', 'admin'),
  });
  const isLive = async (token: string) => (await scene.validate(token)).status === 200;
  beforeEach(() => server.addMember(organization, users.second, 'owner'));

  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => remove(users.owner, users.second)],
    ['leaves', () => leave(users.second)],
    ['becomes a viewer', () => setRole(users.owner, users.second, 'viewer')],
  ])('is revoked when they no longer may: who invited %s', async (_, act) => {
    const tokens = await bothTokens();
    const kept = await scene.tokenFor(users.owner, 'kept@example.com');
    await act();
    expect(await Promise.all([tokens.viewer, tokens.admin, kept].map(isLive))).toEqual([false, false, true]);
    expect((await scene.list(users.owner)).map(({ email }) => email)).toEqual(['kept@example.com']);
    expect(await scene.mailsTo('to-view@example.com')).toEqual([]);
    const revoked = await auditOf(['invite.revoked']);
    expect(revoked.map(({ subject }) => subject).sort()).toEqual([
      'to-administer@example.com',
      'to-view@example.com',
    ]);
    expect(revoked[0]?.details).toMatchObject({ reason: 'inviter_may_not_grant' });
    server.clock.advance(3600 * 1000);
    await renewLogins();
  });

  it('stays as far as they still may grant it', async () => {
    const tokens = await bothTokens();
    await setRole(users.owner, users.second, 'admin');
    expect(await Promise.all([tokens.viewer, tokens.admin].map(isLive))).toEqual([true, false]);
  });

  it('joins nobody by an invite that races with the removal of who sent it', async () => {
    const guest = await server.createUser();
    for (let round = 0; round < 20; round += 1) {
      const token = await scene.tokenFor(users.second, guest.email, 'owner');
      const [accepted] = await Promise.all([scene.accept(guest, token), remove(users.owner, users.second)]);
      expect([200, 400]).toContain(accepted.status);
      const events = await auditOf(['member.joined', 'member.removed']);
      // Joined before the removal, or not at all.
      if (accepted.status === 200) {
        expect(events.slice(-2).map(({ action }) => action)).toEqual(['member.joined', 'member.removed']);
      } else expect(await scene.roleOf(guest)).toBeUndefined();
      await server.db.deleteFrom('memberships').where('user_id', '=', guest.id).execute();
      await server.addMember(organization, users.second, 'owner');
      server.clock.advance(3600 * 1000);
      await renewLogins();
      Object.assign(guest, await logInAgain(server, guest));
    }
  });
});

async function renewLogins(): Promise<void> {
  for (const user of Object.values(users)) Object.assign(user, await logInAgain(server, user));
}
