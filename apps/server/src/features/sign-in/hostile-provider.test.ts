import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HostileProvider } from './hostile-provider.fixture.ts';
import { Browser, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let provider: HostileProvider;
let owner: TestUser;
let member: TestUser;
let organizationId: string;
let browser: Browser;

beforeAll(async () => {
  server = await createTestServer({ environment: { OIDC_PRIVATE: 'true' } });
});
afterAll(() => server.close());

/** A member has linked their account to the organization's provider. */
beforeEach(async () => {
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
