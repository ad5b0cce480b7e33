import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInviteFixture, type InviteFixture } from './invite.fixture.ts';

let server: TestServer;
let owner: TestUser;
let fixture: InviteFixture;
let count = 0;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  fixture = createInviteFixture(server, await server.createOrganization(owner, 'Водоканал'));
});
afterAll(() => server.close());

function newEmail(): string {
  count += 1;
  return `mailed-${count}@example.com`;
}

describe('the mail of an invite', () => {
  it('makes its link from PUBLIC_URL whatever host the request names', async () => {
    const email = newEmail();
    const poison = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'ftp',
      forwarded: 'host=evil.example',
    };
    const { body } = await fixture.invite(owner, email, 'member', poison);
    expect((body as { inviteUrl: string }).inviteUrl).toMatch(/^http:\/\/localhost:8080\/invite\?/);
    expect(JSON.stringify(await fixture.mailsTo(email))).not.toContain('evil.example');
  });

  it('writes in the language of the invited user, or else of the request', async () => {
    const english = await server.createUser();
    const unknown = newEmail();
    for (const email of [english.email, unknown]) {
      await fixture.invite(owner, email, 'member', { 'accept-language': 'ru' });
    }
    expect((await fixture.mailsTo(english.email))[0]?.subject).toBe('Invite to Pult');
    expect((await fixture.mailsTo(unknown))[0]?.subject).toBe('Приглашение в Pult');
  });
});

describe('an organization’s name in the mail', () => {
  it.each([
    ['<script>alert(1)</script><a href="https://evil.example">click</a>', /https:\/\/|evil\.example/],
    ['Sign in at https://evil.example/login', /https:\/\/|evil\.example/],
    ['www.evil.example', /www\.evil|evil\.example/],
    ['call admin@evil.example', /admin@evil/],
    ['line\nSubject: two', /\n/],
    ['turned \u202e around', /\u202e/],
    ['$& {email} {url}', /token=/],
    ['x'.repeat(255), /x{101}/],
  ])('%j is inert', async (name, live) => {
    const own = createInviteFixture(server, await server.createOrganization(owner, name));
    const email = newEmail();
    await own.invite(owner, email);
    const [mail] = await own.mailsTo(email);
    expect(mail?.subject).toBe('Invite to Pult');
    expect(mail?.paragraphs[0]).toContain(owner.email);
    expect(mail?.paragraphs.join(' ')).not.toMatch(live);
  });

  it('stays as it is where it is harmless', async () => {
    const email = newEmail();
    await fixture.invite(owner, email);
    expect((await fixture.mailsTo(email))[0]?.paragraphs[0]).toContain('“Водоканал”');
  });
});
