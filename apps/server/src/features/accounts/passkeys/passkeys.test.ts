import type { Passkey, PasskeyOptions, TotpScope } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enableTotp, readCookies, type TotpUser } from '../totp-user.fixture.ts';
import { TestAuthenticator } from './authenticator.fixture.ts';

const origin = 'http://localhost:8080';
let server: TestServer;
let user: TotpUser;

beforeAll(async () => {
  server = await createTestServer({ environment: { PUBLIC_URL: origin, TUNNEL_DOMAIN: 'pult-tunnels.net' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await enableTotp(server, await server.createUser());
});

const headersOf = ({ cookie }: TestUser) => ({ cookie, origin });
const confirm = (as: TotpUser, scope: TotpScope, proof: object = { code: as.code() }) =>
  server.call('verifyTotp', { headers: headersOf(as), body: { scope, ...proof } });

async function createOptions(as: TestUser): Promise<PasskeyOptions> {
  const answer = await server.call('createPasskeyOptions', { headers: headersOf(as) });
  expect(answer.status).toBe(200);
  return answer.body as PasskeyOptions;
}
async function createChallenge(): Promise<PasskeyOptions> {
  return (await server.call('createPasskeyChallenge', { headers: { origin } })).body as PasskeyOptions;
}
const add = (as: TestUser, credential: object, name = 'Key') =>
  server.call('addPasskey', { headers: headersOf(as), body: { name, credential } });

/** A passkey of theirs, registered. */
async function register(as: TotpUser, name?: string): Promise<TestAuthenticator> {
  const authenticator = new TestAuthenticator();
  await confirm(as, 'manage_passkeys');
  const answer = await add(as, authenticator.create(await createOptions(as), { origin }), name);
  expect(answer.status).toBe(201);
  server.clock.advance(30_000); // the next code
  return authenticator;
}
const logIn = (as: TestUser, proof: object) =>
  server.call('login', { body: { username: as.email, password: as.password, ...proof } });
const logInByPasskey = (passkey: object) =>
  server.call('logInByPasskey', { headers: { origin }, body: { passkey } });
const isVerified = { origin, isUserVerified: true };

describe('a passkey', () => {
  it('a passkey is made after a confirmation, listed, recorded and mailed', async () => {
    const authenticator = new TestAuthenticator();
    const options = await createOptions(user);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email },
      authenticatorSelection: { residentKey: 'required' },
      attestation: 'none',
    });
    const credential = authenticator.create(options, { origin });
    expect(await add(user, credential)).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    await confirm(user, 'manage_passkeys');
    expect(await add(user, credential, 'YubiKey')).toMatchObject({ status: 201, body: { name: 'YubiKey' } });
    const listed = await server.call('listPasskeys', { headers: headersOf(user) });
    expect(listed.body).toEqual([
      {
        id: expect.any(String),
        name: 'YubiKey',
        isSynced: false,
        createdAt: expect.any(String),
        lastUsedAt: null,
      },
    ]);
    const mails = (await server.readMails()).filter(({ to }) => to === user.email);
    expect(mails.at(-1)).toMatchObject({ kind: 'passkey-added' });
    const actions = await server.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('user_id', '=', user.id)
      .where('action', 'like', 'passkey.%')
      .execute();
    expect(actions).toEqual([{ action: 'passkey.added', details: { name: 'YubiKey' } }]);
  });

  it('a passkey takes the place of a code at the login, once for each challenge', async () => {
    const authenticator = await register(user);
    expect(await logIn(user, {})).toMatchObject({ status: 401, body: { code: 'totp_required' } });
    const proof = authenticator.get(await createChallenge(), { origin });
    expect(await logIn(user, { passkey: proof })).toMatchObject({ status: 200 });
    expect(await logIn(user, { passkey: proof })).toMatchObject({
      status: 401,
      body: { code: 'totp_invalid' },
    });
    const wrong = { username: user.email, password: 'wrong password 12' };
    const passkey = authenticator.get(await createChallenge(), { origin });
    expect(await server.call('login', { body: { ...wrong, passkey } })).toMatchObject({ status: 401 });
  });

  it('a passkey is used by one of five who come with the same proof at once', async () => {
    const authenticator = await register(user);
    const passkey = authenticator.get(await createChallenge(), isVerified);
    const answers = await Promise.all(Array.from({ length: 5 }, () => logInByPasskey(passkey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
  });

  it('a passkey confirms what needs a code', async () => {
    const authenticator = await register(user);
    const passkey = authenticator.get(await createChallenge(), { origin });
    expect(await confirm(user, 'add_ssh_key', { passkey })).toMatchObject({
      status: 200,
      body: { scope: 'add_ssh_key' },
    });
    expect(await confirm(user, 'add_ssh_key', { passkey })).toMatchObject({
      status: 400,
      body: { passkey: [expect.any(String)] },
    });
    const both = { passkey, code: user.code() };
    expect(await confirm(user, 'add_ssh_key', both)).toMatchObject({ status: 400 });
  });

  it('a passkey logs in alone where its authenticator has verified the user, and not otherwise', async () => {
    const authenticator = await register(user);
    const present = authenticator.get(await createChallenge(), { origin });
    expect(await logInByPasskey(present)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    const answer = await logInByPasskey(authenticator.get(await createChallenge(), isVerified));
    expect(answer.status).toBe(200);
    expect(readCookies(answer).get('pult_session')?.length).toBeGreaterThan(40);
    const { access } = answer.body as { access: string };
    const me = await server.call('getCurrentUser', { headers: { authorization: `Bearer ${access}` } });
    expect(me.body).toMatchObject({ email: user.email, totpEnabled: true });
  });

  it('a passkey is deleted after a confirmation, and opens nothing any more', async () => {
    const authenticator = await register(user);
    const { body } = await server.call('listPasskeys', { headers: headersOf(user) });
    const params = { passkeyId: (body as Passkey[])[0]?.id ?? '' };
    const other = await enableTotp(server, await server.createUser());
    await confirm(other, 'manage_passkeys');
    expect(await server.call('deletePasskey', { headers: headersOf(other), params })).toMatchObject({
      status: 404,
      body: { code: 'passkey_not_found' },
    });
    expect((await server.call('deletePasskey', { headers: headersOf(user), params })).status).toBe(204);
    expect(await logInByPasskey(authenticator.get(await createChallenge(), isVerified))).toMatchObject({
      status: 401,
    });
  });

  it('a passkey goes with TOTP', async () => {
    const authenticator = await register(user);
    await confirm(user, 'disable_user_totp');
    expect((await server.call('disableTotp', { headers: headersOf(user) })).status).toBe(204);
    expect((await server.call('listPasskeys', { headers: headersOf(user) })).body).toEqual([]);
    expect(await logInByPasskey(authenticator.get(await createChallenge(), isVerified))).toMatchObject({
      status: 401,
    });
  });

  it('a passkey is refused to one without TOTP', async () => {
    const plain = await server.createUser();
    expect(await server.call('createPasskeyOptions', { headers: headersOf(plain) })).toMatchObject({
      status: 409,
      body: { code: 'totp_not_enabled' },
    });
  });

  it('a passkey is one of twenty at most, however many are made at once', async () => {
    await confirm(user, 'manage_passkeys');
    const made = Array.from({ length: 25 }, async () =>
      add(user, new TestAuthenticator().create(await createOptions(user), { origin })),
    );
    const answers = (await Promise.allSettled(made)).map((each) =>
      each.status === 'fulfilled' ? each.value.status : 409,
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(20);
  });
});

describe('a proof', () => {
  let authenticator: TestAuthenticator;
  beforeEach(async () => {
    authenticator = await register(user);
  });
  const refused = async (passkey: object) =>
    expect([await logInByPasskey(passkey), await logIn(user, { passkey })]).toMatchObject([
      { status: 401 },
      { status: 401 },
    ]);

  it.each([
    ['a proof of another origin', { origin: 'https://evil.example.com', isUserVerified: true }],
    ['a proof of a tunnel host', { origin: 'https://a1.pult-tunnels.net', isUserVerified: true }],
    ['a proof of the right name by another port', { origin: 'http://localhost:8443', isUserVerified: true }],
    ['a proof for another relying party', { origin, rpId: 'example.com', isUserVerified: true }],
  ])('%s is refused', async (_, answer) => {
    await refused(authenticator.get(await createChallenge(), answer));
  });

  it.each([
    ['a proof of a challenge that nobody gave', () => Buffer.alloc(54, 7).toString('base64url')],
    ['a proof of no challenge', () => ''],
  ])('%s is refused', async (_, challenge) => {
    await refused(authenticator.get({ challenge: challenge() }, isVerified));
  });

  it('a proof of a challenge for a registration is refused', async () => {
    await refused(authenticator.get(await createOptions(user), isVerified));
  });

  it('a proof of a challenge that is over is refused', async () => {
    const options = await createChallenge();
    server.clock.advance(5 * 60_000);
    await refused(authenticator.get(options, isVerified));
  });

  it('a proof by another key under the same id is refused', async () => {
    const thief = new TestAuthenticator();
    Object.assign(thief, { credentialId: authenticator.credentialId });
    await refused(thief.get(await createChallenge(), isVerified));
  });

  it('a proof of a copy, whose count is behind, is refused', async () => {
    const { counter } = authenticator;
    expect((await logInByPasskey(authenticator.get(await createChallenge(), isVerified))).status).toBe(200);
    authenticator.counter = counter;
    await refused(authenticator.get(await createChallenge(), isVerified));
  });

  it('a proof of somebody else’s passkey is no second factor', async () => {
    const other = await enableTotp(server, await server.createUser());
    const theirs = await register(other);
    const passkey = theirs.get(await createChallenge(), isVerified);
    expect(await logIn(user, { passkey })).toMatchObject({ status: 401, body: { code: 'totp_invalid' } });
  });

  it('a proof that is garbage is refused as a bad field or a wrong passkey', async () => {
    for (const passkey of [
      {},
      { ...authenticator.get(await createChallenge(), isVerified), type: 'password' },
      { ...authenticator.get(await createChallenge(), isVerified), id: 'not base64url!' },
    ]) {
      expect((await logInByPasskey(passkey)).status).toBe(400);
    }
    const proof = authenticator.get(await createChallenge(), isVerified);
    for (const part of ['clientDataJSON', 'authenticatorData', 'signature'] as const) {
      for (const value of ['AAAA', '']) {
        const bent = { ...proof, response: { ...proof.response, [part]: value } };
        expect((await logInByPasskey(bent)).status).toBe(401);
      }
    }
  });
});

describe('a registration', () => {
  beforeEach(() => confirm(user, 'manage_passkeys'));
  const refused = async (credential: object) =>
    expect(await add(user, credential)).toMatchObject({
      status: 400,
      body: { credential: [expect.any(String)] },
    });

  it('a registration of another session, of another origin, or a second time is refused', async () => {
    const other = await enableTotp(server, await server.createUser());
    await refused(new TestAuthenticator().create(await createOptions(other), { origin }));
    await refused(
      new TestAuthenticator().create(await createOptions(user), { origin: 'https://evil.example' }),
    );
    const credential = new TestAuthenticator().create(await createOptions(user), { origin });
    expect((await add(user, credential)).status).toBe(201);
    await refused(credential);
  });

  it('a registration of a passkey that somebody has is refused, and says not whose it is', async () => {
    const authenticator = new TestAuthenticator();
    expect((await add(user, authenticator.create(await createOptions(user), { origin }))).status).toBe(201);
    await refused(authenticator.create(await createOptions(user), { origin }));
  });
});

describe.each([
  ['http://pult.example.com', 'none'],
  ['https://192.0.2.7', 'none'],
  ['https://[2001:db8::7]', 'none'],
  ['http://localhost:8080', 'login'],
  ['https://pult-tunnels.net', 'code'],
  ['https://console.pult-tunnels.net', 'login'],
])('an installation at %s', (publicUrl, uses) => {
  it(`an installation at ${publicUrl} has passkeys for: ${uses}`, async () => {
    const environment = { PUBLIC_URL: publicUrl, TUNNEL_DOMAIN: 't.pult-tunnels.net' };
    const at = await createTestServer({ environment });
    try {
      expect((await at.call('getEnvironments')).body).toMatchObject({ PASSKEYS: uses });
      const status = uses === 'none' ? 409 : 200;
      expect((await at.call('createPasskeyChallenge')).status).toBe(status);
      const passkey = new TestAuthenticator().get({ challenge: '' }, { origin: publicUrl });
      expect((await at.call('logInByPasskey', { body: { passkey } })).status).toBe(
        uses === 'login' ? 401 : 409,
      );
    } finally {
      await at.close();
    }
  });
});
