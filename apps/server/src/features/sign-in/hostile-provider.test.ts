import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HostileProvider, type Refusal } from './hostile-provider.fixture.ts';
import { Browser, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let provider: HostileProvider;
let owner: TestUser;
let member: TestUser;
let organizationId: string;
let browser: Browser;
const lines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  server = await createTestServer({ environment: { OIDC_PRIVATE: 'true' }, log });
});
afterAll(() => server.close());

/** A member has linked their account to the organization's provider. */
beforeEach(async () => {
  lines.length = 0;
  provider = await HostileProvider.start();
  owner = await server.createUser();
  member = await server.createUser();
  organizationId = await server.createOrganization(owner);
  await server.addMember(organizationId, member, 'member');
  expect((await setProvider(server, owner, organizationId, provider)).status).toBe(200);
  provider.subject = member.id;
  browser = new Browser(server);
  await provider.signIn(browser, organizationId);
  const body = { username: member.email, password: member.password };
  expect((await browser.call('completeSignIn', { body })).status).toBe(200);
  return () => provider[Symbol.asyncDispose]();
});

async function passMinutes(minutes: number): Promise<void> {
  server.clock.advance(minutes * 60_000);
  await server.server.jobs.find(({ name }) => name === 'check-sign-ins')?.run();
}

const signIn = async () => {
  const another = new Browser(server);
  expect((await provider.signIn(another, organizationId)).searchParams.get('done')).toBe('1');
  return another;
};

it('a refresh token over 8 kB counts as none', async () => {
  provider.refreshToken = 'r'.repeat(8193);
  const another = await signIn();
  await passMinutes(59);
  expect(await another.getUser()).toBeDefined();
  expect(provider.refreshes).toEqual([]);
  await passMinutes(1);
  expect(await another.getUser()).toBeUndefined();
});

it('a refresh token over 8 kB does not take the place of the one before', async () => {
  provider.refreshToken = 'r';
  await signIn();
  provider.refreshToken = 'r'.repeat(8193);
  await passMinutes(31);
  await passMinutes(31);
  expect(provider.refreshes).toEqual(['r', 'r']);
});

it('the oldest of twenty sessions by one login at a provider ends when another is opened', async () => {
  const second = await signIn();
  for (let count = 2; count < 20; count += 1) await signIn();
  expect(await browser.getUser()).toBeDefined();
  await signIn();
  expect(await browser.getUser()).toBeUndefined();
  expect(await second.getUser()).toBeDefined();
  // Their own login is another matter.
  expect((await server.call('getCurrentUser', { as: member })).status).toBe(200);
});

it('an answer without claims moves the session on, and not what groups give', async () => {
  const rules = [{ group: 'a', scope: { type: 'organization', id: organizationId }, role: 'admin' }];
  const params = { organizationId };
  expect((await server.call('setGroupGrants', { as: owner, params, body: { rules } })).status).toBe(200);
  Object.assign(provider, { refreshToken: 'r', repeatsIdToken: false, claims: { groups: ['a'] } });
  const another = await signIn();
  const readEnd = () =>
    server.db
      .selectFrom('grants')
      .select('ends_at')
      .where('subject_user_id', '=', member.id)
      .where('identity_id', 'is not', null)
      .executeTakeFirstOrThrow();
  const before = await readEnd();
  await passMinutes(31);
  expect(provider.refreshes).toEqual(['r']);
  expect(await readEnd()).toEqual(before);
  await passMinutes(31);
  expect(await another.getUser()).toBeDefined();
});

/** Of what the log says of this provider. */
const reasons = () =>
  lines
    .map((line) => JSON.parse(line) as { issuer?: string; reason?: string })
    .filter(({ issuer }) => issuer === provider.issuer)
    .map(({ reason }) => reason);

it('a wrong client secret is named in the log and ends no session at once, however it is told', async () => {
  provider.refreshToken = 'r';
  const sessions = [await signIn(), await signIn(), await signIn()];
  const challenge = { 'www-authenticate': 'Basic realm="corp"' };
  const answers: Refusal[] = [{ status: 401, headers: challenge }, { status: 401 }, { status: 400 }];
  for (const answer of answers) {
    provider.refreshes.length = 0;
    provider.refusals.token = { ...answer, body: { error: 'invalid_client', error_description: 'secret' } };
    await passMinutes(31);
    // It is about all of them, and none of the others is asked about.
    expect(provider.refreshes.length).toBeLessThan(sessions.length);
    expect(new Set(reasons())).toEqual(new Set(['invalid_client']));
    for (const each of sessions) expect(await each.getUser()).toBeDefined();
    provider.refusals = {};
    await passMinutes(1);
  }
  // Hours after they began.
  for (const each of sessions) expect(await each.getUser()).toBeDefined();
});

it('a sign-in by a wrong client secret is refused and the log says why, in no words but those of the protocol', async () => {
  const refuse = async (error: string) => {
    provider.refusals.token = { status: 400, body: { error } };
    const led = await provider.signIn(new Browser(server), organizationId);
    expect(led.searchParams.get('error')).toBe('sign_in_refused');
    return reasons().at(-1);
  };
  expect(await refuse('invalid_client')).toBe('invalid_client');
  expect(await refuse('see https://evil.example/')).toBe('OAUTH_RESPONSE_BODY_ERROR');
});

it('a session ends where its grant or its person is refused, and not where another scope is wanted', async () => {
  provider.refreshToken = 'r';
  const [first, second] = [await signIn(), await signIn()];
  server.clock.advance(30 * 60_000);
  const scope = { 'www-authenticate': 'Bearer realm="corp", error="insufficient_scope"' };
  provider.refusals.userInfo = { status: 403, headers: scope };
  await passMinutes(1);
  expect(reasons().at(-1)).toBe('insufficient_scope');
  expect(await first.getUser()).toBeDefined();
  const token = { 'www-authenticate': 'Bearer realm="corp", error="invalid_token"' };
  provider.refusals.userInfo = { status: 401, headers: token };
  await passMinutes(1);
  expect(reasons().at(-1)).toBe('invalid_token');
  expect([await first.getUser(), await second.getUser()]).toEqual([undefined, undefined]);
  provider.refusals = {};
  const third = await signIn();
  const headers = { 'www-authenticate': 'Basic realm="corp"' };
  provider.refusals.token = { status: 401, headers, body: { error: 'invalid_grant' } };
  await passMinutes(31);
  expect(await third.getUser()).toBeUndefined();
});
