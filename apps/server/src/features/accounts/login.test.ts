import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser('anna@example.com');
});
afterAll(() => server.close());

function login(on: TestServer, body: unknown, headers: Record<string, string> = {}): Promise<TestAnswer> {
  return on.call('login', { body, headers });
}

/** The Set-Cookie headers of an answer by cookie name. */
function setCookies(answer: TestAnswer): Map<string, string> {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line]));
}

function cookieValue(setCookie: string | undefined): string {
  return /=([^;]*)/.exec(setCookie ?? '')?.[1] ?? '';
}

describe('login', () => {
  it('answers an access token and a session cookie that only this host gets', async () => {
    const answer = await login(server, { username: user.email, password: user.password });
    expect(answer).toMatchObject({
      status: 200,
      body: { access: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    });
    const cookie = setCookies(answer).get('pult_session') ?? '';
    expect(cookieValue(cookie)).toMatch(/^[\w-]{43}$/);
    expect(cookie).toMatch(/; Path=\/;/);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/Domain|Secure/);
  });

  it('prefixes its cookies with __Host- where the public URL is https', async () => {
    const secure = await createTestServer({ environment: { PUBLIC_URL: 'https://pult.example.com' } });
    try {
      const { email, password } = await secure.createUser();
      const cookies = setCookies(await login(secure, { username: email, password }));
      expect([...cookies.keys()].sort()).toEqual(['__Host-pult_browser', '__Host-pult_session']);
      for (const cookie of cookies.values()) {
        expect(cookie).toMatch(/; Secure/);
        expect(cookie).toMatch(/; Path=\/;/);
        expect(cookie).toMatch(/; HttpOnly/);
        expect(cookie).not.toMatch(/Domain/);
      }
    } finally {
      await secure.close();
    }
  });

  // spec: 5.01
  it('takes the email in any case and with spaces around it', async () => {
    const answer = await login(server, { username: '  ANNA@Example.COM ', password: user.password });
    expect(answer.status).toBe(200);
  });

  it('answers a wrong password and an unknown account alike, and records both', async () => {
    const wrong = await login(server, { username: user.email, password: 'wrong' });
    const unknown = await login(server, { username: 'nobody@example.com', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({ detail: 'Wrong email or password.', code: 'invalid_credentials' });
    expect({ ...unknown, headers: {} }).toEqual({ ...wrong, headers: {} });
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(wrong.headers).sort());
    expect(setCookies(wrong).size).toBe(0);
    const refused = await server.db
      .selectFrom('audit_events')
      .select(['user_id', 'subject', 'address'])
      .where('action', '=', 'login.refused')
      .orderBy('id')
      .execute();
    expect(refused).toEqual([
      { user_id: user.id, subject: user.email, address: '127.0.0.1' },
      { user_id: null, subject: 'nobody@example.com', address: '127.0.0.1' },
    ]);
  });

  it('login does not keep what was typed instead of an email, which may be a password', async () => {
    for (const username of ['my-secret-Passw0rd', 'my@secret-Passw0rd', 'Passw0rd@my.secret!']) {
      await login(server, { username, password: 'x' });
    }
    const everything = JSON.stringify([
      await server.db.selectFrom('audit_events').selectAll().execute(),
      await server.db.selectFrom('login_throttle').selectAll().execute(),
    ]);
    expect(everything).not.toMatch(/passw0rd/i);
  });

  it('makes a new session each time, whatever cookie comes along', async () => {
    const planted = `pult_session=${'A'.repeat(43)}`;
    const credentials = { username: user.email, password: user.password };
    const first = cookieValue(
      setCookies(await login(server, credentials, { cookie: planted })).get('pult_session'),
    );
    const second = cookieValue(
      setCookies(await login(server, credentials, { cookie: `pult_session=${first}` })).get('pult_session'),
    );
    expect(new Set([first, second, 'A'.repeat(43)]).size).toBe(3);
    const before = await server.call('getCurrentUser', { headers: { cookie: planted } });
    expect(before.status).toBe(401);
  });

  it('ends no other session, not even the one whose cookie comes along', async () => {
    const { email, cookie } = await server.createUser();
    const answer = await login(server, { username: email, password: user.password }, { cookie });
    expect(answer.status).toBe(200);
    expect(`pult_session=${cookieValue(setCookies(answer).get('pult_session'))}`).not.toBe(cookie);
    expect((await server.call('getCurrentUser', { headers: { cookie } })).status).toBe(200);
  });

  it('stores no session token as it is', async () => {
    const token = user.cookie.split('=')[1] ?? '';
    const rows = await server.db.selectFrom('sessions').select('token_hash').execute();
    expect(rows.some((row) => row.token_hash.toString('base64url') === token)).toBe(false);
    expect(token).toHaveLength(43);
  });

  it('refuses a page of another origin that wants to log a visitor in', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const answer = await login(server, { username: user.email, password: user.password }, headers);
      expect(answer).toMatchObject({ status: 400, body: { code: 'origin_forbidden' } });
      expect(setCookies(answer).size).toBe(0);
    }
  });
});

describe('logout', () => {
  // spec: 7.05
  it('ends the session and clears its cookie', async () => {
    const { cookie, access } = await server.createUser();
    const headers = { cookie, origin: server.publicUrl };
    const answer = await server.call('logout', { headers });
    expect(answer).toMatchObject({ status: 204, body: undefined });
    expect(setCookies(answer).get('pult_session')).toMatch(/^pult_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await server.call('getCurrentUser', { headers })).status).toBe(401);
    const bearer = await server.call('getCurrentUser', { headers: { authorization: `Bearer ${access}` } });
    expect(bearer.status).toBe(401);
  });

  it('succeeds when nobody is logged in', async () => {
    expect((await server.call('logout')).status).toBe(204);
    expect((await server.call('logout', { headers: { cookie: 'pult_session=gone' } })).status).toBe(204);
    expect((await server.call('logout', { headers: { authorization: 'Bearer x.y.z' } })).status).toBe(204);
  });

  it('logout is refused to a foreign page, and the session goes on', async () => {
    const { cookie } = await server.createUser();
    const answer = await server.call('logout', { headers: { cookie, origin: 'https://evil.example' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'origin_forbidden' } });
    expect(setCookies(answer).size).toBe(0);
    expect((await server.call('getCurrentUser', { headers: { cookie } })).status).toBe(200);
  });

  it('logout is refused to a foreign page whose browser sends no cookie along: it would clear it', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await server.call('logout', { headers });
      expect(answer).toMatchObject({ status: 400, body: { code: 'origin_forbidden' } });
      expect(setCookies(answer).size).toBe(0);
    }
  });
});

describe('the current user', () => {
  // spec: 3.06, 7.42
  it('the current user is who logged in', async () => {
    const answer = await server.call('getCurrentUser', { as: user });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: user.id,
        email: user.email,
        totpEnabled: false,
        hasRecoveryCodes: false,
        hasTotpRequiredOrg: false,
        locale: 'en',
      },
    });
  });

  it('knows of an organization that requires TOTP', async () => {
    const member = await server.createUser();
    const organization = await server.createOrganization(member);
    await server.db
      .updateTable('organizations')
      .set({ totp_required: true })
      .where('id', '=', organization)
      .execute();
    const answer = await server.call('getCurrentUser', { as: member });
    expect(answer).toMatchObject({ body: { hasTotpRequiredOrg: true } });
  });
});
