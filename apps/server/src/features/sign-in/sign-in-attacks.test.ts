import { freePort, type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser, callbackOf, installationCallback, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let user: TestUser;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: [installationCallback] });
  server = await createTestServer({ environment: { ...environmentOf(peer), OIDC_PRIVATE: 'true' } });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  user = await server.createUser();
  peer.account = { subject: user.id, claims: { email: user.email, email_verified: true } };
  const browser = new Browser(server);
  await browser.signIn('installation', peer);
  const body = { username: user.email, password: user.password };
  expect((await browser.call('completeSignIn', { body })).status).toBe(200);
});

function environmentOf({ issuer, clientId, clientSecret }: IdentityProvider): Record<string, string> {
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
}

const pathOf = (url: URL) => url.pathname + url.search;
const failed = (code: string) => `/login/complete?error=${code}`;
async function beginAt(browser: Browser, provider = 'installation'): Promise<string> {
  return ((await browser.begin(provider)).body as { url: string }).url;
}

/** The callback refuses, and the browser has nobody's session. */
async function expectRefused(browser: Browser, callback: URL, code: string): Promise<void> {
  expect(pathOf(await browser.comeBack(callback))).toBe(failed(code));
  expect(await browser.getUser()).toBeUndefined();
}

describe('an attack', () => {
  it('a sign-in is refused with the nonce of another one', async () => {
    const browser = new Browser(server);
    const request = new URL(await beginAt(browser));
    request.searchParams.set('nonce', 'another');
    await expectRefused(browser, await peer.visit(request.href), 'sign_in_refused');
  });

  it('a sign-in is refused with the proof of another one (PKCE)', async () => {
    const browser = new Browser(server);
    const request = new URL(await beginAt(browser));
    const other = new URL(await beginAt(new Browser(server)));
    const challenge = other.searchParams.get('code_challenge') ?? '';
    request.searchParams.set('code_challenge', challenge);
    await expectRefused(browser, await peer.visit(request.href), 'sign_in_refused');
  });

  it('a sign-in is refused with a code that was used', async () => {
    const first = new Browser(server);
    const callback = await peer.visit(await beginAt(first));
    expect((await first.comeBack(callback)).searchParams.get('done')).toBe('1');
    // The very same once more, in the same browser and in another one.
    expect(pathOf(await first.comeBack(callback))).toBe(failed('sign_in_expired'));
    await expectRefused(new Browser(server), callback, 'sign_in_expired');
    // In a sign-in of its own.
    const second = new Browser(server);
    const own = new URL(await peer.visit(await beginAt(second)));
    own.searchParams.set('code', callback.searchParams.get('code') ?? '');
    await expectRefused(second, own, 'sign_in_refused');
  });

  it('a sign-in is refused with a state of another browser, whoever sends it', async () => {
    const attacker = new Browser(server);
    const callback = await peer.visit(await beginAt(attacker));
    const victim = new Browser(server);
    await expectRefused(victim, callback, 'sign_in_expired');
    await beginAt(victim);
    await expectRefused(victim, callback, 'sign_in_expired');
    const swapped = new URL(callback);
    swapped.searchParams.set('state', 'A'.repeat(43));
    await expectRefused(attacker, swapped, 'sign_in_expired');
    swapped.searchParams.delete('state');
    await expectRefused(attacker, swapped, 'sign_in_expired');
  });

  it('a sign-in is refused after its time', async () => {
    const browser = new Browser(server);
    const callback = await peer.visit(await beginAt(browser));
    server.clock.advance(15 * 60_000);
    await expectRefused(browser, callback, 'sign_in_expired');
  });

  it('a sign-in is refused where its answer names another issuer (RFC 9207), or none though it always does', async () => {
    for (const iss of ['https://other.example.com', undefined]) {
      const browser = new Browser(server);
      const callback = await peer.visit(await beginAt(browser));
      if (iss === undefined) callback.searchParams.delete('iss');
      else callback.searchParams.set('iss', iss);
      await expectRefused(browser, callback, 'sign_in_refused');
    }
  });

  it('a sign-in is refused where somebody gave up at the provider', async () => {
    peer.account = undefined;
    const browser = new Browser(server);
    await expectRefused(browser, await peer.visit(await beginAt(browser)), 'sign_in_denied');
  });

  it.each([
    ['no code', ''],
    ['two codes', 'code=a&code=b'],
    ['a token instead', 'access_token=a&id_token=b'],
    ['an error of whatever words', 'error=%3Cscript%3E&error_description=%3Cimg%20src%3Dx%3E'],
  ])('a sign-in is refused with %s', async (_, query) => {
    const browser = new Browser(server);
    const callback = await peer.visit(await beginAt(browser));
    const iss = encodeURIComponent(peer.issuer);
    callback.search = `state=${callback.searchParams.get('state')}&iss=${iss}&${query}`;
    await expectRefused(browser, callback, 'sign_in_refused');
  });

  it('a sign-in is refused at the address of another provider: its answer is not taken for another one’s', async () => {
    await using evil = await startIdentityProvider({ redirectUris: [installationCallback] });
    const organizationId = await server.createOrganization(user);
    evil.addRedirectUri(callbackOf(organizationId));
    peer.addRedirectUri(callbackOf(organizationId));
    await setProvider(server, user, organizationId, evil);
    const subject = user.id;
    evil.account = { subject, claims: { email: user.email, email_verified: true }, amr: ['mfa'] };

    // The evil one leads the browser to the honest one, to have its code brought to itself.
    const victim = new Browser(server);
    const begun = new URL(await beginAt(victim, organizationId));
    const honest = new URL(await beginAt(new Browser(server)));
    for (const name of ['state', 'nonce', 'code_challenge', 'redirect_uri']) {
      honest.searchParams.set(name, begun.searchParams.get(name) ?? '');
    }
    await expectRefused(victim, await peer.visit(honest.href), 'sign_in_refused');

    // Its own code, brought to the address of the honest one.
    const browser = new Browser(server);
    const own = await evil.visit(await beginAt(browser, organizationId));
    own.pathname = new URL(installationCallback).pathname;
    await expectRefused(browser, own, 'sign_in_expired');

    // What it says of a subject that the honest one has: somebody else, and good for the organization alone.
    const plain = new Browser(server);
    expect(pathOf(await plain.signIn(organizationId, evil))).toBe('/login/complete');
    expect((await plain.call('getOpenSignIn')).body).toMatchObject({ needs: 'account' });
  });

  it('a sign-in is refused begun by a page of another origin', async () => {
    const headers = { origin: 'http://evil.example.com' };
    const begin = { params: { provider: 'installation' }, body: {}, headers };
    expect((await server.call('beginSignIn', begin)).body).toMatchObject({ code: 'origin_forbidden' });
    expect((await server.call('completeSignIn', { body: {}, headers })).body).toMatchObject({
      code: 'origin_forbidden',
    });
  });

  it.each(['//evil.example.com', '/\\evil.example.com', 'https://evil.example.com', 'x', '/a\nb', '/ü'])(
    'a sign-in is refused that would end at %j',
    async (returnTo) => {
      expect((await new Browser(server).begin('installation', returnTo)).status).toBe(400);
    },
  );

  it.each(['none', '00000000-0000-0000-0000-000000000000'])(
    'a sign-in is refused at a provider that is not there: %s',
    async (provider) => {
      const params = { provider };
      const missing = { status: 404, body: { code: 'provider_not_found' } };
      expect(await server.call('getSignInProvider', { params })).toMatchObject(missing);
      expect(await new Browser(server).begin(provider)).toMatchObject(missing);
      const url = new URL(`${callbackOf(provider)}?code=a&state=b`);
      expect(pathOf(await new Browser(server).comeBack(url))).toBe(failed('provider_not_found'));
    },
  );

  it('a sign-in that is completed several times at once makes one session', async () => {
    const other = await server.createUser();
    peer.account = { subject: other.id, claims: { email: other.email, email_verified: true } };
    const browser = new Browser(server);
    await browser.signIn('installation', peer);
    const body = { username: other.email, password: other.password };
    const answers = await Promise.all([0, 1, 2, 3].map(() => browser.call('completeSignIn', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});

describe('a provider', () => {
  it('a provider may sign by new keys at any time', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const browser = new Browser(server);
      const request = await beginAt(browser);
      peer.rotateKeys();
      expect((await browser.comeBack(await peer.visit(request))).searchParams.get('done')).toBe('1');
    }
  });

  it('a provider that is down is said to be', async () => {
    const port = await freePort();
    const down = await startIdentityProvider({ redirectUris: [installationCallback], port });
    await using own = await createTestServer({ environment: environmentOf(down) });
    const browser = new Browser(own);
    down.account = { subject: 'a', claims: {} };
    const callback = await down.visit(await beginAt(browser));
    await down.close();
    expect(pathOf(await browser.comeBack(callback))).toBe(failed('provider_unavailable'));
    expect(await new Browser(own).begin('installation')).toMatchObject({
      status: 502,
      body: { code: 'provider_unavailable' },
    });
  });

  it.each([
    [20, 'done=1'],
    [60, 'error=sign_in_refused'],
  ])('a provider whose clock is %d seconds behind, with ID tokens of five: %s', async (slowBy, end) => {
    const options = { redirectUris: [installationCallback], idTokenSeconds: 5, slowBy };
    await using slow = await startIdentityProvider(options);
    await using own = await createTestServer({ environment: environmentOf(slow) });
    slow.account = { subject: 'a', claims: { email: 'a@example.com', email_verified: true } };
    expect((await new Browser(own).signIn('installation', slow)).search).toContain(end);
  });

  it('a provider may want its client’s secret in the body', async () => {
    await using own = await startIdentityProvider({
      redirectUris: [installationCallback],
      authMethod: 'client_secret_post',
    });
    await using trusting = await createTestServer({ environment: environmentOf(own) });
    own.account = { subject: 'a', claims: { email: 'a@example.com', email_verified: true } };
    expect((await new Browser(trusting).signIn('installation', own)).search).toContain('done=1');
  });
});
