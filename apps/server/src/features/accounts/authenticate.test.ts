import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { lifetimes } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());

const day = 24 * 3600 * 1000;

/** Status of a read with these headers. */
async function read(headers: Record<string, string>): Promise<number> {
  return (await server.call('getCurrentUser', { headers })).status;
}

/** Tries to change something; the code of the refusal, or the status. */
async function write(headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await server.call('createOrganization', { headers, body: { name: 'New' } });
  return status === 201 ? 201 : (body as { code: string }).code;
}

describe('a bearer token', () => {
  it('counts without a cookie and without an origin', async () => {
    const headers = { authorization: `Bearer ${user.access}` };
    expect(await read(headers)).toBe(200);
    expect(await write(headers)).toBe(201);
    expect(await write({ ...headers, origin: 'https://tool.example' })).toBe(201);
    expect(await read({ authorization: `bearer ${user.access}` })).toBe(200);
  });

  it('dies after 15 minutes, while its session goes on', async () => {
    const { access, cookie } = await server.createUser();
    server.clock.advance(lifetimes.accessToken * 1000 - 1000);
    expect(await read({ authorization: `Bearer ${access}` })).toBe(200);
    server.clock.advance(1000);
    expect(await read({ authorization: `Bearer ${access}` })).toBe(401);
    expect(await read({ cookie })).toBe(200);
  });

  it('dies with its session at once', async () => {
    const { access, id } = await server.createUser();
    await server.db.deleteFrom('sessions').where('user_id', '=', id).execute();
    expect(await read({ authorization: `Bearer ${access}` })).toBe(401);
  });

  it('a bearer token is refused when forged, unsigned, of another issuer or of another algorithm', async () => {
    const fresh = await server.createUser();
    const [, payload = ''] = fresh.access.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string };
    const sign = (change: (token: SignJWT) => SignJWT, key = server.secrets.jwtPrivateKey, alg = 'EdDSA') =>
      change(
        new SignJWT({ sid: claims.sid })
          .setProtectedHeader({ alg })
          .setSubject(fresh.id)
          .setIssuer(server.publicUrl)
          .setExpirationTime(Math.floor(server.clock.now().getTime() / 1000) + 60),
      ).sign(key);
    expect(await read({ authorization: `Bearer ${await sign((token) => token)}` })).toBe(200);

    const { privateKey } = generateKeyPairSync('ed25519');
    const [header, , signature] = fresh.access.split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims, exp: 4102444800 })).toString('base64url');
    const forgeries = {
      'another key': await sign((token) => token, privateKey),
      'another issuer': await sign((token) => token.setIssuer('https://other.example')),
      'no signature': new UnsecuredJWT({ ...claims }).encode(),
      'a symmetric algorithm': await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(randomBytes(32)),
      'changed claims': `${header}.${changed}.${signature}`,
      'no session id': await new SignJWT({ sid: 7 })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer(server.publicUrl)
        .sign(server.secrets.jwtPrivateKey),
      nothing: '',
      'no token': 'x',
      'a huge token': 'x'.repeat(10_000),
    };
    for (const [what, token] of Object.entries(forgeries)) {
      expect([what, await read({ authorization: `Bearer ${token}` })]).toEqual([what, 401]);
    }
  });

  it('a bearer token that is dead does not fall back on the cookie', async () => {
    const { cookie } = await server.createUser();
    expect(await read({ authorization: 'Bearer x.y.z', cookie })).toBe(401);
  });

  it('a bearer token is no other scheme: a password asked for by a proxy leaves the cookie in force', async () => {
    const { cookie } = await server.createUser();
    expect(await read({ authorization: 'Basic YTpi', cookie })).toBe(200);
    expect(await read({ authorization: 'Basic YTpi' })).toBe(401);
  });
});

describe('a session', () => {
  it('a session is not taken from one of two cookies: a page elsewhere on the host may have set the other', async () => {
    const { cookie } = await server.createUser();
    const planted = user.cookie;
    expect(await read({ cookie })).toBe(200);
    expect(await read({ cookie: `${planted}; ${cookie}` })).toBe(401);
    expect(await read({ cookie: `theme=dark; ${cookie}; pult_session_x=1` })).toBe(200);
  });

  it('ends 30 days after its last use', async () => {
    const { cookie } = await server.createUser();
    for (let round = 0; round < 2; round += 1) {
      server.clock.advance(29 * day);
      expect(await read({ cookie })).toBe(200);
    }
    server.clock.advance(30 * day);
    expect(await read({ cookie })).toBe(401);
  });

  it('ends after 90 days however much it is used', async () => {
    const { cookie } = await server.createUser();
    for (let passed = 0; passed < 89; passed += 1) {
      server.clock.advance(day);
      expect(await read({ cookie })).toBe(200);
    }
    server.clock.advance(day);
    expect(await read({ cookie })).toBe(401);
  });

  it('a session that ended is deleted by the job, and no other', async () => {
    const ended = await server.createUser();
    server.clock.advance(31 * day);
    const alive = await server.createUser();
    await server.server.jobs.find((job) => job.name === 'delete-expired-sessions')?.run();
    const rows = await server.db.selectFrom('sessions').select('user_id').execute();
    expect(rows.map((row) => row.user_id)).toContain(alive.id);
    expect(rows.map((row) => row.user_id)).not.toContain(ended.id);
  });

  it('a session is written at most once a minute', async () => {
    const { cookie, id } = await server.createUser();
    const lastUsed = async () =>
      (
        await server.db
          .selectFrom('sessions')
          .select('last_used_at')
          .where('user_id', '=', id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    const first = await lastUsed();
    server.clock.advance(60_000);
    await read({ cookie });
    expect(await lastUsed()).toEqual(first);
    server.clock.advance(1);
    await read({ cookie });
    expect(await lastUsed()).toEqual(server.clock.now());
  });
});

describe('a call that changes something by cookie', () => {
  it('a call that changes something by cookie must come from a page of ours', async () => {
    const { cookie } = await server.createUser();
    const own = server.publicUrl;
    const cases: [Record<string, string>, unknown][] = [
      [{ origin: own }, 201],
      [{ 'sec-fetch-site': 'same-origin' }, 201],
      [{}, 'origin_forbidden'],
      [{ origin: 'null' }, 'origin_forbidden'],
      [{ origin: '' }, 'origin_forbidden'],
      [{ origin: 'https://evil.example' }, 'origin_forbidden'],
      [{ origin: `${own}.evil.example` }, 'origin_forbidden'],
      [{ origin: own.replace('http:', 'https:') }, 'origin_forbidden'],
      [{ origin: `${own}/` }, 'origin_forbidden'],
      [{ origin: own.replace('localhost', 'a1b2.http.localhost') }, 'origin_forbidden'],
      [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 'origin_forbidden'],
      [{ 'sec-fetch-site': 'same-site' }, 'origin_forbidden'],
      [{ 'sec-fetch-site': 'none' }, 'origin_forbidden'],
    ];
    for (const [headers, expected] of cases) {
      expect([headers, await write({ cookie, ...headers })]).toEqual([headers, expected]);
    }
  });

  it('a call that changes something by cookie is not told apart from one without a login by its origin', async () => {
    expect(await write({ cookie: 'pult_session=gone', origin: 'https://evil.example' })).toBe(
      'not_authenticated',
    );
  });

  it('needs no origin to read', async () => {
    const { cookie } = await server.createUser();
    expect(await read({ cookie })).toBe(200);
    expect(await read({ cookie, origin: 'https://evil.example' })).toBe(200);
  });
});
