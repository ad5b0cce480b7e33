import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteScene, type InviteScene } from '../invites/invite-scene.fixture.ts';
import { createMemberScene, type MemberScene } from './member-scene.fixture.ts';

let server: TestServer;
let organization: string;
let scene: MemberScene & InviteScene;
let owner: TestUser;
let inviter: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [owner, inviter] = [await server.createUser(), await server.createUser()];
  organization = await server.createOrganization(owner, 'Heating');
  await server.addMember(organization, inviter, 'owner');
  scene = { ...createInviteScene(server, organization), ...createMemberScene(server, organization) };
});

describe('what a member has invited to', () => {
  const bothTokens = async () => ({
    viewer: await scene.tokenFor(inviter, 'to-view@example.com', 'viewer'),
    admin: await scene.tokenFor(inviter, 'to-administer@example.com', 'admin'),
  });
  const isLive = async (token: string) => (await scene.validate(token)).status === 200;

  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => scene.remove(owner, inviter)],
    ['leaves', () => scene.leave(inviter)],
    ['becomes a viewer', () => scene.setRole(owner, inviter, 'viewer')],
  ])('is revoked when they no longer may: who invited %s', async (_, act) => {
    const tokens = await bothTokens();
    const kept = await scene.tokenFor(owner, 'kept@example.com');
    await act();
    expect(await Promise.all([tokens.viewer, tokens.admin, kept].map(isLive))).toEqual([false, false, true]);
    expect((await scene.list(owner)).map(({ email }) => email)).toEqual(['kept@example.com']);
    expect(await scene.mailsTo('to-view@example.com')).toEqual([]);
    const revoked = await scene.auditOf('invite.revoked');
    expect(revoked.map(({ subject }) => subject).sort()).toEqual([
      'to-administer@example.com',
      'to-view@example.com',
    ]);
    expect(revoked[0]?.details).toMatchObject({ reason: 'inviter_may_not_grant' });
  });

  it('stays as far as they still may grant it', async () => {
    const tokens = await bothTokens();
    await scene.setRole(owner, inviter, 'admin');
    expect(await Promise.all([tokens.viewer, tokens.admin].map(isLive))).toEqual([true, false]);
  });

  it('joins nobody by an invite that races with the removal of who sent it', async () => {
    const guest = await server.createUser();
    for (let round = 0; round < 10; round += 1) {
      const token = await scene.tokenFor(inviter, guest.email, 'owner');
      const [accepted] = await Promise.all([scene.accept(guest, token), scene.remove(owner, inviter)]);
      expect([200, 400]).toContain(accepted.status);
      const events = await scene.auditOf('member.joined', 'member.removed');
      // Joined before the removal, or not at all.
      if (accepted.status === 200) {
        expect(events.slice(-2).map(({ action }) => action)).toEqual(['member.joined', 'member.removed']);
      } else expect(await scene.roleOf(guest)).toBeUndefined();
      await server.db.deleteFrom('memberships').where('user_id', '=', guest.id).execute();
      await server.addMember(organization, inviter, 'owner');
    }
  });
});
