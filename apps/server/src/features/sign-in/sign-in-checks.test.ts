import { lifetimes } from '@pult/contract';
import { freePort, type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Browser, installationCallback } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let user: TestUser;
let browser: Browser;

beforeEach(async () => {
  const port = await freePort();
  peer = await startIdentityProvider({ redirectUris: [installationCallback], isRefreshing: true, port });
  const { issuer, clientId, clientSecret } = peer;
  server = await createTestServer({
    environment: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
  });
  user = await server.createUser();
  peer.account = { subject: user.id, claims: { email: user.email, email_verified: true } };
  browser = new Browser(server);
  await browser.signIn('installation', peer);
  const body = { username: user.email, password: user.password };
  expect((await browser.call('completeSignIn', { body })).status).toBe(200);
});
afterEach(async () => {
  await server.close();
  await peer.close();
});

async function passMinutes(minutes: number): Promise<void> {
  server.clock.advance(minutes * 60_000);
  await server.server.jobs.find(({ name }) => name === 'check-sign-ins')?.run();
}

it('a session goes on as long as the provider says so', async () => {
  for (let hour = 0; hour < 6; hour += 1) await passMinutes(50);
  expect((await browser.getUser())?.id).toBe(user.id);
});

it('a session ends at the next look after the provider knows its user no more, and what rests on it', async () => {
  const ended: unknown[] = [];
  server.server.events.subscribe('accessEnded', (event) => ended.push(event));
  await passMinutes(29);
  peer.setClaims(user.id, undefined);
  await passMinutes(0);
  expect(await browser.getUser()).toBeDefined(); // nobody has asked yet
  await passMinutes(1);
  expect(await browser.getUser()).toBeUndefined();
  expect(ended).toEqual([{ sessionId: expect.any(String) }]);
  // Their own login is another matter.
  const headers = { cookie: user.cookie };
  expect((await server.call('getCurrentUser', { headers })).status).toBe(200);
});

it('a session outlives a provider that is down for a while, and not for an hour', async () => {
  await peer.close();
  await passMinutes(31);
  expect(await browser.getUser()).toBeDefined();
  await passMinutes(28);
  expect(await browser.getUser()).toBeDefined();
  await passMinutes(1);
  expect(await browser.getUser()).toBeUndefined();
});

it('a session ends an hour after its provider has answered, where nobody asks again', async () => {
  await passMinutes(50);
  server.clock.advance(59 * 60_000);
  expect(await browser.getUser()).toBeDefined();
  server.clock.advance(60_000);
  expect(await browser.getUser()).toBeUndefined();
});

it('no answer moves a session beyond its ninety days', async () => {
  const created = server.clock.now().getTime() - lifetimes.sessionAbsolute * 1000 + 40 * 60_000;
  await server.db
    .updateTable('sessions')
    .set({ created_at: new Date(created) })
    .where('refresh_token', 'is not', null)
    .execute();
  await passMinutes(31);
  await passMinutes(8);
  expect(await browser.getUser()).toBeDefined();
  await passMinutes(1);
  expect(await browser.getUser()).toBeUndefined();
});

it('the browser keeps its cookie as long as the session may be moved on', async () => {
  const body = { oldPassword: user.password, newPassword: 'another-horse-staple-3' };
  const changed = await browser.call('changePassword', { body });
  expect(changed.status).toBe(204);
  const expires = /pult_session=.*?expires=([^;]+)/i.exec(String(changed.headers['set-cookie']))?.[1] ?? '';
  expect(Date.parse(expires)).toBeGreaterThan(server.clock.now().getTime() + 89 * 24 * 3600_000);
});

it('a refresh token is kept encrypted, and never in an answer', async () => {
  const { refresh_token } = await server.db
    .selectFrom('sessions')
    .select('refresh_token')
    .where('refresh_token', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(refresh_token?.length).toBeGreaterThan(40);
  expect(/^[\w-]+$/.test(refresh_token?.toString() ?? '')).toBe(false);
  expect(JSON.stringify((await browser.call('listSessions')).body)).not.toContain('refresh');
});
