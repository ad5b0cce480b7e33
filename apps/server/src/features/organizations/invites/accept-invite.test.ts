import { lifetimes, type Role } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVisitor } from '../../../platform/access/index.ts';
import { createRateLimiter } from '../../../platform/rate-limit.ts';
import { createGrantsRepository } from '../../grants/grants.repository.ts';
import { createInviteFixture, type InviteFixture, logInAgain } from './invite.fixture.ts';
import { createInviteAcceptance } from './invite-acceptance.service.ts';
import { createInvitesRepository } from './invites.repository.ts';

let server: TestServer;
let owner: TestUser;
let admin: TestUser;
let guest: TestUser;
let organization: string;
let fixture: InviteFixture;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [owner, admin, guest] = [await server.createUser(), await server.createUser(), await server.createUser()];
  organization = await server.createOrganization(owner, 'Heating');
  await server.addMember(organization, admin, 'admin');
  fixture = createInviteFixture(server, organization);
});

const invalid = { status: 400, body: { code: 'invite_invalid' } };
const setRole = (user: TestUser, role: Role) =>
  server.db
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organization)
    .where('user_id', '=', user.id)
    .execute();

describe('looking at an invite', () => {
  // spec: 3.07, 7.33
  it('tells whom it is for, whether they have an account, and where to', async () => {
    const known = await fixture.validate(await fixture.tokenFor(admin, guest.email));
    const organizationToJoin = { name: 'Heating' };
    expect(known).toMatchObject({
      status: 200,
      body: { invitedUserEmail: guest.email, userExists: true, organizationToJoin },
    });
    const unknown = await fixture.validate(await fixture.tokenFor(admin, 'new@example.com'));
    expect(unknown.body).toEqual({
      invitedUserEmail: 'new@example.com',
      userExists: false,
      organizationToJoin,
    });
  });

  it('uses nothing up', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    for (let look = 0; look < 3; look += 1) expect((await fixture.validate(token)).status).toBe(200);
    expect((await fixture.accept(guest, token)).status).toBe(200);
  });

  it('looking at an invite is refused for any other token, and after 120 looks of a minute from one address', async () => {
    await using busy = await createTestServer();
    const other = createInviteFixture(busy, organization);
    for (const token of ['x', 'A'.repeat(43), "' or 1=1 --"]) {
      expect(await other.validate(token)).toMatchObject(invalid);
    }
    for (let look = 0; look < 117; look += 1) await other.validate('x');
    expect(await other.validate('x')).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    busy.clock.advance(60_000);
    expect(await other.validate('x')).toMatchObject(invalid);
  });

  it('looking at an invite is refused to a page of another site', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    const answer = await server.call('validateInvite', {
      body: { organizationInviteToken: token },
      headers: { origin: 'https://evil.example' },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'origin_forbidden' } });
  });
});

describe('accepting an invite', () => {
  it('makes a member of the role it names, records it and purges the mail', async () => {
    const token = await fixture.tokenFor(admin, guest.email, 'viewer');
    expect(await fixture.accept(guest, token)).toMatchObject({
      status: 200,
      body: { id: organization, name: 'Heating', totpRequired: false, userRole: 'viewer' },
    });
    expect(await fixture.roleOf(guest)).toBe('viewer');
    expect(await fixture.list(admin)).toEqual([]);
    expect(await fixture.mailsTo(guest.email)).toEqual([]);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'subject', 'details'])
      .where('organization_id', '=', organization)
      .where('action', '=', 'member.joined')
      .execute();
    expect(events).toEqual([
      { action: 'member.joined', user_id: guest.id, subject: guest.email, details: { role: 'viewer' } },
    ]);
  });

  // spec: 7.34
  it('works once', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.accept(guest, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(invalid);
    await server.db.deleteFrom('memberships').where('user_id', '=', guest.id).execute();
    expect(await fixture.accept(guest, token)).toMatchObject(invalid);
    expect(await fixture.roleOf(guest)).toBeUndefined();
  });

  it('accepting an invite is for the invited email alone', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    const other = await server.createUser();
    expect(await fixture.accept(other, token)).toMatchObject({
      status: 409,
      body: {
        code: 'invite_for_another_user',
        detail: `The invite is intended for user ${guest.email}.`,
      },
    });
    expect(await fixture.roleOf(other)).toBeUndefined();
    expect((await fixture.accept(guest, token)).status).toBe(200);
  });

  it('accepting an invite is too late after 7 days', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    server.clock.advance(lifetimes.invite * 1000);
    expect(await fixture.accept(await logInAgain(server, guest), token)).toMatchObject(invalid);
    expect(await fixture.roleOf(guest)).toBeUndefined();
  });

  it('changes no role of who is a member already', async () => {
    const token = await fixture.tokenFor(owner, guest.email, 'viewer');
    await server.addMember(organization, guest, 'owner');
    expect(await fixture.accept(guest, token)).toMatchObject({ status: 200, body: { userRole: 'owner' } });
    expect(await fixture.roleOf(guest)).toBe('owner');
    expect(await fixture.accept(guest, token)).toMatchObject(invalid);
  });

  it('grants nothing that the inviter may no longer grant', async () => {
    const token = await fixture.tokenFor(owner, guest.email, 'admin');
    await setRole(owner, 'admin');
    expect(await fixture.accept(guest, token)).toMatchObject(invalid);
    await setRole(owner, 'owner');
    expect((await fixture.accept(guest, token)).status).toBe(200);
  });

  it('grants nothing once the inviter is gone', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    await server.db.deleteFrom('memberships').where('user_id', '=', admin.id).execute();
    expect(await fixture.accept(guest, token)).toMatchObject(invalid);
    expect(await fixture.roleOf(guest)).toBeUndefined();
  });
});

describe('signing up with an invite', () => {
  const build = () =>
    createInviteAcceptance(server.server, {
      repository: createInvitesRepository(server.db),
      grants: createGrantsRepository(server.db),
      rateLimiter: createRateLimiter(server.db, server.clock),
    }).invites;
  const visitor = () => createVisitor(server.server.recordAudit, { address: '192.0.2.1', locale: 'en' });
  const join = (token: string, user: TestUser, email = user.email) =>
    server.db
      .transaction()
      .execute((transaction) => build().accept(transaction, visitor(), { token, userId: user.id, email }));

  it('finds the email of a live token alone', async () => {
    const token = await fixture.tokenFor(admin, 'signing@example.com');
    expect(await build().getInvitedEmail(token)).toBe('signing@example.com');
    expect(await build().getInvitedEmail('A'.repeat(43))).toBeUndefined();
    server.clock.advance(lifetimes.invite * 1000);
    expect(await build().getInvitedEmail(token)).toBeUndefined();
  });

  it('makes a member once, and only of the invited email', async () => {
    const token = await fixture.tokenFor(admin, guest.email, 'viewer');
    const refusal = { code: 'invite_invalid' };
    await expect(join(token, guest, 'other@example.com')).rejects.toMatchObject(refusal);
    const results = await Promise.allSettled([join(token, guest), join(token, guest), join(token, guest)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await fixture.roleOf(guest)).toBe('viewer');
    await expect(join(token, guest)).rejects.toMatchObject(refusal);
  });

  it('takes no second connection: more at once than the pool holds do not wait for each other', async () => {
    const tokens: string[] = [];
    for (let index = 0; index < 15; index += 1) {
      // The limit of invites to one mailbox is not what this is about.
      if (index === 8) await server.db.deleteFrom('rate_limits').execute();
      const id = await server.createOrganization(owner, `Plant ${index}`);
      tokens.push(await createInviteFixture(server, id).tokenFor(owner, guest.email));
    }
    const results = await Promise.allSettled(tokens.map((token) => join(token, guest)));
    expect(results.map(({ status }) => status)).toEqual(Array(15).fill('fulfilled'));
  });

  it('leaves the invite for another try when the sign-up fails', async () => {
    const token = await fixture.tokenFor(admin, guest.email);
    const failing = server.db.transaction().execute(async (transaction) => {
      await build().accept(transaction, visitor(), { token, userId: guest.id, email: guest.email });
      throw new Error('sign-up failed');
    });
    await expect(failing).rejects.toThrow('sign-up failed');
    expect((await fixture.accept(guest, token)).status).toBe(200);
  });
});
