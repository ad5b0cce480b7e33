import { type IdentityProvider, type ProviderAccount, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enableTotp } from '../accounts/totp-user.fixture.ts';
import { Browser, installationCallback } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let count = 0;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: [installationCallback] });
  server = await createTestServer({ environment: environmentOf(peer) });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

function environmentOf({ issuer, clientId, clientSecret }: IdentityProvider): Record<string, string> {
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: 'ID' };
}

/** Somebody whom the provider knows, at it from now on. */
function comes(claims: Record<string, unknown>, amr?: string[]): ProviderAccount {
  count += 1;
  peer.account = { subject: `subject-${count}`, claims, ...(amr ? { amr } : {}) };
  return peer.account;
}
const done = (to: string) => `/login/complete?done=1&to=${encodeURIComponent(to)}`;
const pathOf = (url: URL) => url.pathname + url.search;

async function link(browser: Browser, user: TestUser, proof: object = {}) {
  return browser.call('completeSignIn', {
    body: { username: user.email, password: user.password, ...proof },
  });
}

describe('the provider of the installation', () => {
  it('stands in the settings of the console', async () => {
    expect((await server.call('getEnvironments')).body).toMatchObject({ SIGN_IN_PROVIDER: 'ID' });
    const params = { provider: 'installation' };
    expect((await server.call('getSignInProvider', { params })).body).toEqual({
      name: 'ID',
      organizationName: null,
    });
  });

  it('makes an account for somebody whose email it vouches for, and knows them the next time', async () => {
    comes({ email: 'New.One@example.com', email_verified: true });
    const browser = new Browser(server);
    expect(pathOf(await browser.signIn('installation', peer, '/controllers?x=1'))).toBe(
      done('/controllers?x=1'),
    );
    const user = await browser.getUser();
    expect(user).toMatchObject({ email: 'new.one@example.com' });
    expect(user).not.toHaveProperty('signedInto');
    const again = new Browser(server);
    expect(pathOf(await again.signIn('installation', peer))).toBe(done('/'));
    expect((await again.getUser())?.id).toBe(user?.id);
    expect((await again.call('listIdentities')).body).toMatchObject([
      { organization: null, issuer: peer.issuer, email: 'new.one@example.com' },
    ]);
    // The account is like any other, all of it.
    expect((await again.call('createOrganization', { body: { name: 'Own' } })).status).toBe(201);
  });

  it('gives an account no password, and such an owner does not keep the emergency login until they set one', async () => {
    const email = 'without.password@example.com';
    comes({ email, email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    const made = await browser.call('createOrganization', { body: { name: 'Own' } });
    const params = { organizationId: (made.body as { id: string }).id };
    const breakGlassOwner = (await browser.getUser())?.id;
    const require = (by: Browser) =>
      by.call('requireSignIn', { params, body: { isRequired: true, breakGlassOwner } });
    const logIn = (password: string) => server.call('login', { body: { username: email, password } });
    expect(await require(browser)).toMatchObject({
      status: 400,
      body: { breakGlassOwner: [expect.stringContaining('no password yet')] },
    });
    for (const guess of ['x', 'no account has this hash']) expect((await logIn(guess)).status).toBe(401);
    await server.call('requestPasswordReset', { body: { email } });
    const mail = (await server.readMails()).find(({ to, action }) => to === email && action);
    const [, uid = '', token = ''] =
      /\/password-reset\/([^/]+)\/([^/]+)\/$/.exec(mail?.action?.url ?? '') ?? [];
    const body = { uid, token, newPassword: 'plenty of boilers 7' };
    expect((await server.call('confirmPasswordReset', { body })).status).toBe(200);
    expect((await logIn(body.newPassword)).status).toBe(200);
    const again = new Browser(server);
    await again.signIn('installation', peer);
    expect((await require(again)).status).toBe(200);
  });

  it.each([
    ['says that the email is not verified', { email: 'unverified@example.com', email_verified: false }],
    ['says nothing of the email’s verification', { email: 'unsaid@example.com' }],
    ['says it by a word', { email: 'word@example.com', email_verified: 'true' }],
    ['tells no email', {}],
    ['tells what is no email', { email: 'nobody', email_verified: true }],
  ])('makes no account where it %s', async (_, claims) => {
    comes(claims);
    const browser = new Browser(server);
    expect(pathOf(await browser.signIn('installation', peer))).toBe(
      '/login/complete?error=sign_in_email_unverified',
    );
    expect(await browser.getUser()).toBeUndefined();
  });

  it('links an account after one proof of its password, and never by its email alone', async () => {
    const user = await server.createUser();
    comes({ email: user.email, email_verified: true });
    const browser = new Browser(server);
    expect(pathOf(await browser.signIn('installation', peer, '/map'))).toBe('/login/complete');
    expect(await browser.getUser()).toBeUndefined();
    expect((await browser.call('getOpenSignIn')).body).toEqual({
      provider: { id: 'installation', name: 'ID' },
      email: user.email,
      needs: 'account',
    });
    expect(await browser.call('completeSignIn', { body: {} })).toMatchObject({ status: 401 });
    expect(await link(browser, { ...user, password: 'wrong' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect(await link(browser, user)).toMatchObject({ status: 200, body: { returnTo: '/map' } });
    expect((await browser.getUser())?.id).toBe(user.id);
    const again = new Browser(server);
    expect(pathOf(await again.signIn('installation', peer))).toBe(done('/'));
    expect((await again.getUser())?.id).toBe(user.id);
    const linked = await server.db
      .selectFrom('audit_events')
      .select(['subject', 'details'])
      .where('action', '=', 'identity.linked')
      .where('user_id', '=', user.id)
      .execute();
    expect(linked).toEqual([{ subject: user.email, details: { provider: 'ID', issuer: peer.issuer } }]);
  });

  it('links an account whose password is another one’s email to that other one', async () => {
    const [mine, other] = [await server.createUser(), await server.createUser()];
    comes({ email: mine.email, email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    expect((await link(browser, other)).status).toBe(200);
    expect((await browser.getUser())?.id).toBe(other.id);
  });

  it('takes the place of the password, not of the account’s second factor', async () => {
    const user = await enableTotp(server, await server.createUser());
    comes({ email: user.email, email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    expect(await link(browser, user)).toMatchObject({ status: 401, body: { code: 'totp_required' } });
    server.clock.advance(30_000);
    expect((await link(browser, user, { totpCode: user.code() })).status).toBe(200);

    const again = new Browser(server);
    expect(pathOf(await again.signIn('installation', peer))).toBe('/login/complete');
    expect((await again.call('getOpenSignIn')).body).toMatchObject({
      email: user.email,
      needs: 'second_factor',
    });
    expect(await again.call('completeSignIn', { body: {} })).toMatchObject({
      body: { code: 'totp_required' },
    });
    const wrong = await again.call('completeSignIn', { body: { totpCode: '000000' } });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'totp_invalid' } });
    server.clock.advance(30_000);
    expect((await again.call('completeSignIn', { body: { totpCode: user.code() } })).status).toBe(200);
    expect((await again.getUser())?.id).toBe(user.id);
  });

  it('counts wrong codes as those of any login', async () => {
    const user = await enableTotp(server, await server.createUser());
    const { subject } = comes({ email: user.email, email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    server.clock.advance(30_000);
    await link(browser, user, { totpCode: user.code() });
    peer.account = { subject };
    const guesser = new Browser(server);
    await guesser.signIn('installation', peer);
    const codes: unknown[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      const answer = await guesser.call('completeSignIn', { body: { totpCode: `00000${guess}` } });
      codes.push((answer.body as { code: string }).code);
    }
    expect(codes.slice(0, 5)).toEqual(Array(5).fill('totp_invalid'));
    expect(codes.slice(5)).toEqual(['too_many_attempts', 'too_many_attempts']);
  });

  it.each([
    [['mfa'], true],
    [['pwd', 'otp'], true],
    [['pwd', 'pin'], false],
    [['otp'], false],
    [['pwd'], false],
  ])('vouches for a second factor by amr %j: %s', async (amr, isOne) => {
    const user = await enableTotp(server, await server.createUser());
    const { subject } = comes({ email: user.email, email_verified: true });
    const first = new Browser(server);
    await first.signIn('installation', peer);
    server.clock.advance(30_000);
    expect((await link(first, user, { totpCode: user.code() })).status).toBe(200);
    peer.account = { subject, amr };
    const browser = new Browser(server);
    expect(pathOf(await browser.signIn('installation', peer))).toBe(isOne ? done('/') : '/login/complete');
  });

  it('lets somebody without TOTP into organizations that want a second factor where it vouches for one', async () => {
    const user = await server.createUser();
    const { subject } = comes({ email: user.email, email_verified: true }, ['pwd']);
    const weak = new Browser(server);
    await weak.signIn('installation', peer);
    await link(weak, user);
    const organizationId = await server.createOrganization(user);
    await server.db
      .updateTable('organizations')
      .set({ totp_required: true })
      .where('id', '=', organizationId)
      .execute();
    const read = (browser: Browser) => browser.call('getOrganization', { params: { organizationId } });
    expect(await read(weak)).toMatchObject({ body: { code: 'totp_setup_required' } });
    peer.account = { subject, amr: ['pwd', 'hwk'] };
    const strong = new Browser(server);
    await strong.signIn('installation', peer);
    expect((await read(strong)).status).toBe(200);
    expect(await strong.getUser()).toMatchObject({ totpEnabled: false, isFactorByProvider: true });
    expect(await weak.getUser()).not.toHaveProperty('isFactorByProvider');
  });

  it('a link is forgotten by the account, and its sessions end', async () => {
    const user = await server.createUser();
    const account = comes({ email: user.email, email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    await link(browser, user);
    const [identity] = (await server.call('listIdentities', { as: user })).body as { id: string }[];
    const params = { identityId: identity?.id ?? '' };
    const stranger = await server.createUser();
    expect((await server.call('deleteIdentity', { as: stranger, params })).status).toBe(404);
    expect((await server.call('deleteIdentity', { as: user, params })).status).toBe(204);
    expect(await browser.getUser()).toBeUndefined();
    peer.account = account;
    expect(pathOf(await new Browser(server).signIn('installation', peer))).toBe('/login/complete');
  });

  it('opens a session of one hour where nobody can be asked again', async () => {
    comes({ email: 'hour@example.com', email_verified: true });
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    server.clock.advance(59 * 60_000);
    expect(await browser.getUser()).toBeDefined();
    server.clock.advance(60_000);
    expect(await browser.getUser()).toBeUndefined();
  });
});

it('an email is proof enough where the installation says so, and then the second factor is still asked for', async () => {
  const trusting = await startIdentityProvider({ redirectUris: [installationCallback] });
  const environment = { ...environmentOf(trusting), OIDC_TRUST_EMAIL: 'true' };
  await using own = await createTestServer({ environment });
  await using _ = trusting;
  const plain = await own.createUser();
  trusting.account = { subject: 'plain', claims: { email: plain.email.toUpperCase(), email_verified: true } };
  const browser = new Browser(own);
  expect(pathOf(await browser.signIn('installation', trusting))).toBe(done('/'));
  expect((await browser.getUser())?.id).toBe(plain.id);
  trusting.account = { subject: 'unverified', claims: { email: plain.email, email_verified: false } };
  expect(pathOf(await new Browser(own).signIn('installation', trusting))).toBe('/login/complete');

  const user = await enableTotp(own, await own.createUser());
  trusting.account = { subject: 'totp', claims: { email: user.email, email_verified: true } };
  const careful = new Browser(own);
  expect(pathOf(await careful.signIn('installation', trusting))).toBe('/login/complete');
  expect((await careful.call('getOpenSignIn')).body).toMatchObject({ needs: 'second_factor' });
  own.clock.advance(30_000);
  expect((await careful.call('completeSignIn', { body: { totpCode: user.code() } })).status).toBe(200);
});

it.each<[string, Record<string, string>, string[]]>([
  ['makes no accounts where the installation turns that off', { OIDC_NEW_ACCOUNTS: 'false' }, []],
  [
    'makes accounts of the domains that the installation has chosen',
    { OIDC_EMAIL_DOMAINS: 'corp.example.com, Works.example' },
    ['a@corp.example.com', 'b@works.example'],
  ],
])('the provider of the installation %s, and signs in whoever has one', async (_, settings, welcome) => {
  await using choosy = await startIdentityProvider({ redirectUris: [installationCallback] });
  await using own = await createTestServer({ environment: { ...environmentOf(choosy), ...settings } });
  const comesTo = async (email: string) => {
    choosy.account = { subject: email, claims: { email, email_verified: true } };
    const browser = new Browser(own);
    return { browser, end: pathOf(await browser.signIn('installation', choosy)) };
  };
  for (const email of welcome) expect((await comesTo(email)).end).toBe(done('/'));
  const strangers = ['a@evil.example', 'a@sub.corp.example.com', 'a@evilcorp.example.com'];
  for (const email of strangers) {
    const { browser, end } = await comesTo(email);
    expect(end).toBe('/login/complete?error=sign_in_no_account');
    expect(await browser.getUser()).toBeUndefined();
  }
  const made = await own.db.selectFrom('users').select('email').where('email', 'in', strangers).execute();
  expect(made).toEqual([]);
  const user = await own.createUser();
  const { browser, end } = await comesTo(user.email);
  expect(end).toBe('/login/complete');
  expect((await link(browser, user)).status).toBe(200);
  expect((await comesTo(user.email)).end).toBe(done('/'));
});
