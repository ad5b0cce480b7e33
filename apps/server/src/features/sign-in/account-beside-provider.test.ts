import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Browser, createSignInOrganization, installationCallback, setProvider } from './sign-in.fixture.ts';

/** Whoever runs an organization's provider may say of anybody that they have signed in: what that must not give them. */

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let member: TestUser;
let organizationId: string;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: [installationCallback] });
  const { issuer, clientId, clientSecret } = peer;
  const environment = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  server = await createTestServer({ environment: { ...environment, OIDC_PRIVATE: 'true' } });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  ({ owner, member, organizationId } = await createSignInOrganization(server, peer));
  peer.account = { subject: member.id, claims: {} };
});

const pathOf = (url: URL) => url.pathname + url.search;
const proofOf = ({ email, password }: TestUser) => ({ username: email, password });
const link = async (user: TestUser, browser = new Browser(server), provider = organizationId) => {
  await browser.signIn(provider, peer);
  return browser.call('completeSignIn', { body: proofOf(user) });
};
const kindsTo = async ({ email }: TestUser) =>
  (await server.readMails()).filter(({ to }) => to === email).map(({ kind }) => kind);
const countIdentities = async ({ id }: TestUser) =>
  (await server.db.selectFrom('identities').select('id').where('user_id', '=', id).execute()).length;

/** What `act` does while the account's row is held, behind which a sign-in that has found the account waits. */
async function whileHeld<T>(
  user: TestUser,
  begin: () => Promise<T>,
  act: () => Promise<unknown>,
): Promise<T> {
  let begun: Promise<T> | undefined;
  await server.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
    begun = begin();
    const countWaiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(transaction);
      return rows.length;
    };
    while ((await countWaiting()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await act();
  });
  if (!begun) throw new Error('nothing was begun');
  return begun;
}

it('sign-ins by an organization’s provider forget no wrong password, and make no browser known', async () => {
  expect((await link(member)).status).toBe(200);
  const browser = new Browser(server);
  const codes = [];
  for (let round = 0; round < 3; round += 1) {
    expect((await browser.signIn(organizationId, peer)).searchParams.get('done')).toBe('1');
    expect(browser.jar.getHeader('localhost:8080')).not.toContain('pult_browser');
    for (let guess = 0; guess < 2; guess += 1) {
      const answer = await browser.call('login', { body: { username: member.email, password: 'wrong' } });
      codes.push((answer.body as { code: string }).code);
    }
  }
  expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(5);
  expect(codes.at(-1)).toBe('too_many_attempts');
});

it('a device that is known by an organization’s provider is a new one to the account', async () => {
  expect((await link(member)).status).toBe(200);
  const headers = { 'user-agent': 'of somebody else' };
  const browser = new Browser(server);
  const { url } = (await browser.begin(organizationId)).body as { url: string };
  const callback = await peer.visit(url);
  await server.request('GET', callback.pathname + callback.search, {
    headers: { ...headers, cookie: browser.jar.getHeader('localhost:8080') ?? '' },
  });
  const before = (await kindsTo(member)).filter((kind) => kind === 'new-device').length;
  expect((await server.call('login', { body: proofOf(member), headers })).status).toBe(200);
  expect((await kindsTo(member)).filter((kind) => kind === 'new-device')).toHaveLength(before + 1);
});

it('a link that is deleted while a sign-in is under way does not come back by it', async () => {
  expect((await link(member)).status).toBe(200);
  const [identity] = (await server.call('listIdentities', { as: member })).body as { id: string }[];
  const end = await whileHeld(
    member,
    () => new Browser(server).signIn(organizationId, peer),
    () => server.call('deleteIdentity', { as: member, params: { identityId: identity?.id ?? '' } }),
  );
  expect(pathOf(end)).toBe('/login/complete?error=sign_in_expired');
  expect(await countIdentities(member)).toBe(0);
});

it('a sign-in under way is worth nothing once another provider is in the place', async () => {
  expect((await link(member)).status).toBe(200);
  const end = await whileHeld(
    member,
    () => new Browser(server).signIn(organizationId, peer),
    () => setProvider(server, owner, organizationId, peer, { clientId: 'another' }),
  );
  expect(pathOf(end)).toBe('/login/complete?error=sign_in_expired');

  await setProvider(server, owner, organizationId, peer);
  const browser = new Browser(server);
  peer.account = { subject: 'unknown', claims: {} };
  expect(pathOf(await browser.signIn(organizationId, peer))).toBe('/login/complete');
  await setProvider(server, owner, organizationId, peer, { clientId: 'another' });
  expect((await browser.call('completeSignIn', { body: proofOf(member) })).body).toMatchObject({
    code: 'sign_in_expired',
  });
});

it('the account’s owner learns by mail of a link that comes and goes, and no second one comes beside it', async () => {
  const claims = { email: member.email, email_verified: true };
  peer.account = { subject: member.id, claims };
  expect((await link(member, new Browser(server), 'installation')).status).toBe(200);
  expect(await kindsTo(member)).toContain('identity-linked');
  peer.account = { subject: `${member.id} of somebody else`, claims };
  expect(await link(member, new Browser(server), 'installation')).toMatchObject({
    status: 409,
    body: { code: 'identity_taken' },
  });
  const [identity] = (await server.call('listIdentities', { as: member })).body as { id: string }[];
  await server.call('deleteIdentity', { as: member, params: { identityId: identity?.id ?? '' } });
  expect(await kindsTo(member)).toContain('identity-deleted');
});

it('right credentials of somebody without rights in the organization leave a trace', async () => {
  const stranger = await server.createUser();
  peer.account = { subject: stranger.id, claims: {} };
  expect(await link(stranger)).toMatchObject({ status: 403, body: { code: 'sign_in_without_rights' } });
  const events = await server.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('user_id', '=', stranger.id)
    .execute();
  expect(events).toContainEqual({ action: 'login.refused', details: { reason: 'sign_in_without_rights' } });
  expect(await countIdentities(stranger)).toBe(0);
});

it('an account that its provider has made is linked, though the first login was refused', async () => {
  const email = `new-${member.id}@example.com`;
  const wrong = { body: { username: email, password: 'wrong' } };
  for (let guess = 0; guess < 5; guess += 1) await server.call('login', wrong);
  peer.account = { subject: email, claims: { email, email_verified: true } };
  expect(pathOf(await new Browser(server).signIn('installation', peer))).toBe(
    '/login/complete?error=too_many_attempts',
  );
  server.clock.advance(60_000);
  const browser = new Browser(server);
  expect((await browser.signIn('installation', peer)).searchParams.get('done')).toBe('1');
  expect(await browser.getUser()).toMatchObject({ email });
});
