import { lifetimes, limits, type Role } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createInviteFixture, type InviteFixture, logInAgain } from './invite.fixture.ts';

let server: TestServer;
let owner: TestUser;
let admin: TestUser;
let organization: string;
let fixture: InviteFixture;
let count = 0;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [owner, admin] = [await server.createUser(), await server.createUser()];
  organization = await server.createOrganization(owner, 'Водоканал');
  await server.addMember(organization, admin, 'admin');
  fixture = createInviteFixture(server, organization);
});

function newEmail(): string {
  count += 1;
  return `invited-${count}@example.com`;
}

async function auditOf(subject: string) {
  return server.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'organization_id', 'address', 'details'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute();
}

describe('inviting', () => {
  // spec: 7.32
  it('mails a link of PUBLIC_URL, lists the invite and records it, without the secret', async () => {
    const email = newEmail();
    const answer = await fixture.invite(admin, email.toUpperCase());
    const url = expect.stringMatching(/^http:\/\/localhost:8080\/invite\?token=[\w-]{43}$/);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String), inviteUrl: url } });
    const { id, inviteUrl } = answer.body as { id: string; inviteUrl: string };
    const mails = await fixture.mailsTo(email);
    expect(mails).toMatchObject([{ kind: 'invite', action: { url: inviteUrl } }]);
    expect(JSON.stringify(mails)).toContain(admin.email);

    const now = server.clock.now().getTime();
    expect(await fixture.list(admin)).toEqual([
      {
        id,
        email,
        role: 'member',
        invitedBy: admin.email,
        createdAt: new Date(now).toISOString(),
        expiresAt: new Date(now + lifetimes.invite * 1000).toISOString(),
      },
    ]);
    expect(await auditOf(email)).toEqual([
      {
        action: 'member.invited',
        user_id: admin.id,
        organization_id: organization,
        address: '127.0.0.1',
        details: { role: 'member' },
      },
    ]);
    const rows = await server.db.selectFrom('invites').selectAll().execute();
    const stored = rows.map((row) => JSON.stringify(row) + row.token_hash.toString('latin1')).join();
    expect(stored).not.toContain(inviteUrl.split('=')[1]);
  });

  it('answers no link where mail is delivered', async () => {
    await using delivering = await createTestServer({
      environment: { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'pult@example.com' },
    });
    const user = await delivering.createUser();
    const own = createInviteFixture(delivering, await delivering.createOrganization(user));
    const answer = await own.invite(user, newEmail());
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    expect(Object.keys(answer.body as object)).toEqual(['id']);
  });

  it('again replaces the earlier invite: its link is dead, its mail purged', async () => {
    const email = newEmail();
    const first = await fixture.tokenFor(admin, email, 'viewer');
    const second = await fixture.tokenFor(admin, email, 'member');
    expect(await fixture.validate(first)).toMatchObject({ status: 400, body: { code: 'invite_invalid' } });
    expect((await fixture.validate(second)).status).toBe(200);
    expect((await fixture.list(admin)).map(({ role }) => role)).toEqual(['member']);
    const mails = await fixture.mailsTo(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.action?.url).toContain(second);
  });

  it('again at once leaves one invite and one link that works', async () => {
    const email = newEmail();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => fixture.tokenFor(admin, email)));
    const answers = await Promise.all(tokens.map((token) => fixture.validate(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await fixture.list(admin)).toHaveLength(1);
    expect(await fixture.mailsTo(email)).toHaveLength(1);
  });

  it('refuses whoever is a member already', async () => {
    expect(await fixture.invite(admin, owner.email, 'viewer')).toMatchObject({
      status: 409,
      body: { code: 'already_member', detail: expect.stringContaining(owner.email) },
    });
    expect(await fixture.mailsTo(owner.email)).toEqual([]);
  });

  it.each<[Role, Role[]]>([
    ['admin', ['viewer', 'member']],
    ['owner', ['viewer', 'member', 'admin', 'owner']],
  ])('inviting as %s grants only %j', async (role, granted) => {
    const inviter = role === 'owner' ? owner : admin;
    for (const each of ['viewer', 'member', 'admin', 'owner'] as const) {
      const answer = await fixture.invite(inviter, newEmail(), each);
      expect([each, answer.status]).toEqual([each, granted.includes(each) ? 200 : 403]);
      if (answer.status === 403) expect(answer.body).toMatchObject({ code: 'role_forbidden' });
    }
    expect((await fixture.list(owner)).map((invite) => invite.role).sort()).toEqual([...granted].sort());
  });

  it('lets no admin replace or revoke an invite to a role they may not grant', async () => {
    const email = newEmail();
    const token = await fixture.tokenFor(owner, email, 'admin');
    expect(await fixture.invite(admin, email, 'viewer')).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
    const [invite] = await fixture.list(admin);
    const params = { organizationId: organization, inviteId: invite?.id ?? '' };
    expect((await server.call('revokeInvite', { as: admin, params })).status).toBe(403);
    expect((await fixture.validate(token)).status).toBe(200);
    expect((await server.call('revokeInvite', { as: owner, params })).status).toBe(204);
  });

  it('holds the limit of pending invites exactly, and counts no expired ones', async () => {
    const left = 3;
    const expiresAt = new Date(server.clock.now().getTime() + 60_000);
    const rows = Array.from({ length: limits.invitesPerOrganization - left }, (_, index) => ({
      id: globalThis.crypto.randomUUID(),
      organization_id: organization,
      email: `waiting-${index}@example.com`,
      role: 'viewer' as const,
      token_hash: Buffer.from(`${organization} ${index}`),
      invited_by: admin.id,
      created_at: server.clock.now(),
      expires_at: expiresAt,
    }));
    await server.db.insertInto('invites').values(rows).execute();
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.invite(admin, newEmail())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(left);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body]).toMatchObject([409, { code: 'invites_limit_reached' }]);
    }
    expect((await fixture.invite(admin, 'waiting-0@example.com')).status).toBe(200);
    server.clock.advance(60_000);
    expect((await fixture.invite(admin, newEmail())).status).toBe(200);
  });

  it('floods nobody’s mailbox, from however many organizations', async () => {
    const email = newEmail();
    const others = [];
    for (let number = 0; number < 3; number += 1) {
      others.push(createInviteFixture(server, await server.createOrganization(owner)));
    }
    const tooMany = { status: 429, body: { code: 'too_many_attempts' } };
    for (const other of others) {
      // What one organization has used up is no other's, until the mailbox has had enough.
      for (let sent = 0; sent < 10; sent += 1) expect((await other.invite(owner, email)).status).toBe(200);
      expect(await other.invite(owner, email)).toMatchObject(tooMany);
    }
    const refused = await fixture.invite(owner, email);
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await fixture.invite(owner, newEmail())).status).toBe(200);
    server.clock.advance(3600 * 1000);
    owner = await logInAgain(server, owner);
    expect((await fixture.invite(owner, email)).status).toBe(200);
  });
});

describe('revoking', () => {
  it('ends the link, purges the mail and is recorded', async () => {
    const email = newEmail();
    const token = await fixture.tokenFor(admin, email);
    const [invite] = await fixture.list(admin);
    const params = { organizationId: organization, inviteId: invite?.id ?? '' };
    expect(await server.call('revokeInvite', { as: admin, params })).toMatchObject({ status: 204 });
    expect((await fixture.validate(token)).status).toBe(400);
    expect(await fixture.list(admin)).toEqual([]);
    expect(await fixture.mailsTo(email)).toEqual([]);
    expect((await auditOf(email)).map(({ action }) => action)).toEqual(['member.invited', 'invite.revoked']);
    for (const inviteId of [params.inviteId, 'x']) {
      const answer = await server.call('revokeInvite', { as: admin, params: { ...params, inviteId } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'invite_not_found' } });
    }
  });

  it('revoking does not reach the invites of another organization', async () => {
    const foreign = createInviteFixture(server, await server.createOrganization(await server.createUser()));
    const other = await server.createUser();
    const own = await server.createOrganization(other);
    const token = await fixture.tokenFor(admin, newEmail());
    const [invite] = await fixture.list(admin);
    for (const organizationId of [own, organization]) {
      const params = { organizationId, inviteId: invite?.id ?? '' };
      const answer = await server.call('revokeInvite', { as: other, params });
      expect(answer.status).toBe(404);
    }
    expect((await foreign.validate(token)).status).toBe(200);
  });
});

describe('an invite older than 7 days', () => {
  it('an invite older than 7 days is listed no more, opens nothing, and goes with its mail', async () => {
    const email = newEmail();
    const token = await fixture.tokenFor(admin, email);
    server.clock.advance(lifetimes.invite * 1000 - 1);
    expect((await fixture.validate(token)).status).toBe(200);
    server.clock.advance(1);
    expect(await fixture.validate(token)).toMatchObject({ status: 400, body: { code: 'invite_invalid' } });
    admin = await logInAgain(server, admin);
    expect(await fixture.list(admin)).toEqual([]);
    await server.server.jobs.find(({ name }) => name === 'delete-expired-invites')?.run();
    expect(await fixture.mailsTo(email)).toEqual([]);
    expect(await server.db.selectFrom('invites').where('email', '=', email).select('id').execute()).toEqual(
      [],
    );
  });
});
