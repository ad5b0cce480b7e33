import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enableTotp } from '../accounts/totp-user.fixture.ts';
import { Browser, callbackOf, createSignInOrganization, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let member: TestUser;
let organizationId: string;
let _count = 0;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'] });
  server = await createTestServer({ environment: { OIDC_PRIVATE: 'true' } });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  ({ owner, member, organizationId } = await createSignInOrganization(server, peer));
});

const pathOf = (url: URL) => url.pathname + url.search;

/** A browser in which this account is signed in by the organization's provider, linked before where it is needed. */
async function signIn(user: TestUser, amr?: string[]): Promise<Browser> {
  _count += 1;
  peer.account = { subject: `${user.id}`, claims: {}, ...(amr ? { amr } : {}) };
  const browser = new Browser(server);
  const end = await browser.signIn(organizationId, peer);
  if (end.searchParams.has('done')) return browser;
  const body = { username: user.email, password: user.password };
  expect(await browser.call('completeSignIn', { body })).toMatchObject({ status: 200 });
  return browser;
}

const changeRequirement = (as: TestUser, body: object) =>
  server.call('requireSignIn', { as, params: { organizationId }, body });

describe('the provider of an organization', () => {
  it('a provider is set by an owner, who learns what to tell it and what to give to people', async () => {
    const answer = await server.call('getSignInSettings', { as: owner, params: { organizationId } });
    expect(answer.body).toEqual({
      provider: {
        name: 'Corp',
        issuer: peer.issuer,
        clientId: 'pult',
        scopes: 'profile email',
        groupsClaim: 'groups',
        secondFactorAcr: [],
      },
      redirectUri: callbackOf(organizationId),
      signInUrl: `http://localhost:8080/login/organization/${organizationId}`,
      installationProvider: null,
      isRequired: false,
      breakGlassOwner: null,
    });
    expect(JSON.stringify(await server.db.selectFrom('audit_events').selectAll().execute())).not.toContain(
      peer.clientSecret,
    );
    const { client_secret } = await server.db
      .selectFrom('identity_providers')
      .select('client_secret')
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    expect(client_secret.toString()).not.toContain(peer.clientSecret);
  });

  it('tells whoever has the link whose it is', async () => {
    const answer = await server.call('getSignInProvider', { params: { provider: organizationId } });
    expect(answer.body).toEqual({ name: 'Corp', organizationName: 'Plant' });
  });

  it.each([
    ['is no provider', { issuer: 'http://127.0.0.1:9' }, 'issuer'],
    ['calls itself something else', { issuer: 'ISSUER/other' }, 'issuer'],
    ['is without TLS elsewhere', { issuer: 'http://id.example.com' }, 'issuer'],
    ['is no web address', { issuer: 'ftp://id.example.com' }, 'issuer'],
    [
      'is elsewhere, with no secret for it',
      { issuer: 'https://id.example.com', clientSecret: undefined },
      'clientSecret',
    ],
    ['has scopes that are none', { scopes: 'a"b' }, 'scopes'],
    ['is without a client', { clientId: ' ' }, 'clientId'],
  ])('a provider is refused where it %s', async (_, changes, field) => {
    const issuer = (changes as { issuer?: string }).issuer?.replace('ISSUER', peer.issuer);
    const answer = await setProvider(server, owner, organizationId, peer, {
      ...changes,
      ...(issuer === undefined ? {} : { issuer }),
    });
    expect(answer).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
  });

  it('keeps its secret where no other is given', async () => {
    const answer = await setProvider(server, owner, organizationId, peer, {
      name: 'New',
      clientSecret: undefined,
    });
    expect(answer).toMatchObject({ status: 200, body: { provider: { name: 'New' } } });
    await signIn(member);
  });

  it('opens sessions that are good for the organization alone', async () => {
    const elsewhere = await server.createOrganization(member, 'Elsewhere');
    const browser = await signIn(member);
    expect(await browser.getUser()).toMatchObject({ id: member.id, signedInto: organizationId });
    expect((await browser.call('listOrganizations')).body).toMatchObject([{ id: organizationId }]);
    const read = (id: string) => browser.call('getOrganization', { params: { organizationId: id } });
    expect((await read(organizationId)).status).toBe(200);
    expect(await read(elsewhere)).toMatchObject({ status: 404, body: { code: 'organization_not_found' } });
    for (const [name, body] of [
      ['createOrganization', { name: 'New' }],
      ['createToken', { name: 'T', scopes: ['controllers.read'] }],
      ['addSshKey', { name: 'K', publicKey: 'ssh-ed25519 AAAA' }],
      ['changePassword', { oldPassword: member.password, newPassword: 'another-horse-9-battery' }],
    ] as const) {
      expect(await browser.call(name, { body })).toMatchObject({
        status: 403,
        body: { code: 'own_login_required' },
      });
    }
    expect((await browser.call('listSessions')).body).toMatchObject({ code: 'own_login_required' });
  });

  it('an administrator of the installation who signs in by it administers nothing', async () => {
    await server.db
      .updateTable('users')
      .set({ is_administrator: true })
      .where('id', '=', member.id)
      .execute();
    const browser = await signIn(member);
    expect(await browser.getUser()).toMatchObject({ isAdministrator: false });
    expect((await browser.call('getInstallation')).status).toBe(403);
  });

  it('confirms nothing: the account’s own second factor does', async () => {
    const user = await enableTotp(server, member);
    peer.account = { subject: user.id, claims: {}, amr: ['mfa'] };
    const browser = new Browser(server);
    await browser.signIn(organizationId, peer);
    const login = { username: user.email, password: user.password };
    // Whatever the provider vouches for, an account is linked by all of its own login.
    expect((await browser.call('completeSignIn', { body: login })).body).toMatchObject({
      code: 'totp_required',
    });
    server.clock.advance(30_000);
    const linking = { ...login, totpCode: user.code() };
    expect((await browser.call('completeSignIn', { body: linking })).status).toBe(200);
    const again = new Browser(server);
    expect((await again.signIn(organizationId, peer)).searchParams.get('done')).toBe('1');
    await server.db
      .updateTable('memberships')
      .set({ role: 'owner' })
      .where('user_id', '=', user.id)
      .where('organization_id', '=', organizationId)
      .execute();
    const del = () => browser.call('deleteIdentityProvider', { params: { organizationId } });
    expect(await del()).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    server.clock.advance(30_000);
    const body = { scope: 'manage_sign_in', code: user.code() };
    expect((await browser.call('verifyTotp', { body })).status).toBe(200);
    expect((await del()).status).toBe(204);
  });

  it('wrong codes of sessions that it has opened lock them all, and no other login of the account', async () => {
    const user = await enableTotp(server, member);
    peer.account = { subject: user.id, claims: {}, amr: ['mfa'] };
    const first = new Browser(server);
    await first.signIn(organizationId, peer);
    server.clock.advance(30_000);
    const linking = { username: user.email, password: user.password, totpCode: user.code() };
    expect((await first.call('completeSignIn', { body: linking })).status).toBe(200);
    const second = new Browser(server);
    await second.signIn(organizationId, peer);
    const guess = (browser: Browser) =>
      browser.call('verifyTotp', { body: { scope: 'manage_sign_in', recoveryCode: 'A'.repeat(25) } });
    for (let count = 0; count < 5; count += 1) expect((await guess(first)).status).toBe(400);
    expect((await guess(first)).status).toBe(429);
    expect((await guess(second)).status).toBe(429);
    const body = { scope: 'manage_sign_in', code: user.code(1) };
    expect((await server.call('verifyTotp', { as: user, body })).status).toBe(200);
  });

  it('lets nobody in who has no rights there, and links nothing then', async () => {
    const stranger = await server.createUser();
    peer.account = { subject: 'stranger', claims: { email: owner.email, email_verified: true } };
    const browser = new Browser(server);
    await browser.signIn(organizationId, peer);
    const body = { username: stranger.email, password: stranger.password };
    expect(await browser.call('completeSignIn', { body })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_without_rights' },
    });
    expect((await server.call('listIdentities', { as: stranger })).body).toEqual([]);
    // Whoever belongs there may still take the same sign-in.
    const right = { username: member.email, password: member.password };
    expect((await browser.call('completeSignIn', { body: right })).status).toBe(200);
  });

  it('ends what it has opened when it goes, or is another one', async () => {
    const browser = await signIn(member);
    await using other = await startIdentityProvider({ redirectUris: [callbackOf(organizationId)] });
    expect((await setProvider(server, owner, organizationId, other)).status).toBe(200);
    expect(await browser.getUser()).toBeUndefined();
    other.account = { subject: member.id, claims: {} };
    const again = new Browser(server);
    // The same subject of another issuer is somebody else.
    expect(pathOf(await again.signIn(organizationId, other))).toBe('/login/complete');
    const body = { username: member.email, password: member.password };
    await again.call('completeSignIn', { body });
    expect(await again.getUser()).toBeDefined();
    const gone = await server.call('deleteIdentityProvider', { as: owner, params: { organizationId } });
    expect(gone.status).toBe(204);
    expect(await again.getUser()).toBeUndefined();
    expect((await again.begin(organizationId)).body).toMatchObject({ code: 'provider_not_found' });
  });
});

describe('a sign-in that is required', () => {
  it('shuts out logins of other ways, but for one owner, and says how to get in', async () => {
    const signedIn = await signIn(member);
    const reading = { params: { organizationId } };
    expect(await changeRequirement(owner, { isRequired: true })).toMatchObject({ status: 400 });
    expect(await changeRequirement(owner, { isRequired: true, breakGlassOwner: member.id })).toMatchObject({
      status: 400,
      body: { breakGlassOwner: [expect.any(String)] },
    });
    const on = await changeRequirement(owner, { isRequired: true, breakGlassOwner: owner.id });
    expect(on.body).toMatchObject({
      isRequired: true,
      breakGlassOwner: { id: owner.id, email: owner.email },
    });
    expect((await server.call('getOrganization', { as: owner, ...reading })).status).toBe(200);
    expect(await server.call('getOrganization', { as: member, ...reading })).toMatchObject({
      status: 403,
      body: { code: 'sign_in_required' },
    });
    expect((await server.call('listOrganizations', { as: member })).body).toMatchObject([
      { id: organizationId, signInRequired: true, isSignInMissing: true },
    ]);
    expect((await server.call('listOrganizations', { as: owner })).body).toMatchObject([
      { id: organizationId, signInRequired: true, isSignInMissing: false },
    ]);
    expect((await signedIn.call('getOrganization', reading)).status).toBe(200);
    expect(
      (await server.call('countControllers', { as: member, query: { organization_id: organizationId } }))
        .status,
    ).toBe(403);
    expect((await server.call('deleteIdentityProvider', { as: owner, ...reading })).body).toMatchObject({
      code: 'sign_in_is_required',
    });
    await changeRequirement(owner, { isRequired: false });
    expect((await server.call('getOrganization', { as: member, ...reading })).status).toBe(200);
  });

  it('keeps the owner who needs no provider from going', async () => {
    const second = await server.createUser();
    await server.addMember(organizationId, second, 'owner');
    await changeRequirement(owner, { isRequired: true, breakGlassOwner: owner.id });
    const browser = await signIn(second);
    const at = { params: { organizationId, userId: owner.id } };
    const refused = { status: 409, body: { code: 'break_glass_owner' } };
    expect(await browser.call('removeMember', at)).toMatchObject(refused);
    expect(await browser.call('updateMember', { ...at, body: { role: 'admin' } })).toMatchObject(refused);
    expect(await server.call('leaveOrganization', { as: owner, params: { organizationId } })).toMatchObject(
      refused,
    );
    // Another one in their place.
    const other = { isRequired: true, breakGlassOwner: second.id };
    expect((await browser.call('requireSignIn', { params: { organizationId }, body: other })).status).toBe(
      200,
    );
    expect((await browser.call('removeMember', at)).status).toBe(204);
  });

  it('holds for tokens, which work while their owner is signed in', async () => {
    const made = await server.call('createToken', {
      as: member,
      body: { name: 'T', scopes: ['organization.read'] },
    });
    const { token } = made.body as { token: string };
    const read = () =>
      server.call('getOrganization', {
        params: { organizationId },
        headers: { authorization: `Bearer ${token}` },
      });
    await changeRequirement(owner, { isRequired: true, breakGlassOwner: owner.id });
    expect(await read()).toMatchObject({ status: 403, body: { code: 'sign_in_required' } });
    const browser = await signIn(member);
    expect((await read()).status).toBe(200);
    expect((await browser.call('logout')).status).toBe(204);
    expect((await read()).status).toBe(403);
  });

  it('needs a provider', async () => {
    const own = await server.createOrganization(owner, 'Bare');
    const answer = await server.call('requireSignIn', {
      as: owner,
      params: { organizationId: own },
      body: { isRequired: true, breakGlassOwner: owner.id },
    });
    expect(answer).toMatchObject({ status: 404, body: { code: 'provider_not_found' } });
  });

  it('a provider of the server’s own network is refused unless the installation allows that', async () => {
    await using strict = await createTestServer();
    const user = await strict.createUser();
    const id = await strict.createOrganization(user);
    const answer = await setProvider(strict, user, id, peer, { issuer: 'https://127.0.0.1:1' });
    expect(answer).toMatchObject({
      status: 400,
      body: { issuer: [expect.stringContaining('OIDC_PRIVATE')] },
    });
  });
});
