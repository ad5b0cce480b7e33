import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteFixture, type InviteFixture } from '../invites/invite.fixture.ts';
import { createMemberFixture, type MemberFixture } from './member.fixture.ts';

let server: TestServer;
let organization: string;
let fixture: MemberFixture & InviteFixture;
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
  fixture = { ...createInviteFixture(server, organization), ...createMemberFixture(server, organization) };
});

describe('what a member has invited to', () => {
  const bothTokens = async () => ({
    viewer: await fixture.tokenFor(inviter, 'to-view@example.com', 'viewer'),
    admin: await fixture.tokenFor(inviter, 'to-administer@example.com', 'admin'),
  });
  const isLive = async (token: string) => (await fixture.validate(token)).status === 200;

  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => fixture.remove(owner, inviter)],
    ['leaves', () => fixture.leave(inviter)],
    ['becomes a viewer', () => fixture.setRole(owner, inviter, 'viewer')],
  ])('what a member has invited to is revoked when they no longer may: who invited %s', async (_, act) => {
    const tokens = await bothTokens();
    const kept = await fixture.tokenFor(owner, 'kept@example.com');
    await act();
    expect(await Promise.all([tokens.viewer, tokens.admin, kept].map(isLive))).toEqual([false, false, true]);
    expect((await fixture.list(owner)).map(({ email }) => email)).toEqual(['kept@example.com']);
    expect(await fixture.mailsTo('to-view@example.com')).toEqual([]);
    const revoked = await fixture.auditOf('invite.revoked');
    expect(revoked.map(({ subject }) => subject).sort()).toEqual([
      'to-administer@example.com',
      'to-view@example.com',
    ]);
    expect(revoked[0]?.details).toMatchObject({ reason: 'inviter_may_not_grant' });
  });

  it('stays as far as they still may grant it', async () => {
    const tokens = await bothTokens();
    await fixture.setRole(owner, inviter, 'admin');
    expect(await Promise.all([tokens.viewer, tokens.admin].map(isLive))).toEqual([true, false]);
  });

  it('joins nobody by an invite that races with the removal of who sent it', async () => {
    const guest = await server.createUser();
    for (let round = 0; round < 10; round += 1) {
      // Equal events of one minute are one row.
      server.clock.advance(60_000);
      const token = await fixture.tokenFor(inviter, guest.email, 'owner');
      const [accepted] = await Promise.all([fixture.accept(guest, token), fixture.remove(owner, inviter)]);
      expect([200, 400]).toContain(accepted.status);
      const events = await fixture.auditOf('member.joined', 'member.removed');
      // Joined before the removal, or not at all.
      if (accepted.status === 200) {
        expect(events.slice(-2).map(({ action }) => action)).toEqual(['member.joined', 'member.removed']);
      } else expect(await fixture.roleOf(guest)).toBeUndefined();
      await server.db.deleteFrom('memberships').where('user_id', '=', guest.id).execute();
      await server.addMember(organization, inviter, 'owner');
    }
  });
});
