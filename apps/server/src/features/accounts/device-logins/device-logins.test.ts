import { type Permission, permissionNames } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashToken } from '../../../platform/ids.ts';
import { bearer } from '../tokens/tokens.fixture.ts';
import { createUserCode, hashUserCode } from './user-code.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  user = await server.createUser();
});
afterAll(() => server.close());

/** Of a network of its own: a network begins so many logins. */
let networks = 0;
const freeAddress = () => `10.1.${networks >> 8}.${networks++ & 255}`;

async function post(path: string, body: object, remoteAddress = '127.0.0.1') {
  return server.request('POST', `/api/v1/auth/device/${path}`, {
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
    remoteAddress,
  });
}

async function start(scopes: Permission[] = ['controllers.read', 'tunnels.open'], address = freeAddress()) {
  const answer = await post('', { hostName: 'laptop-7', scopes }, address);
  expect(answer.status).toBe(200);
  return answer.body as { deviceCode: string; userCode: string; interval: number };
}
const poll = (deviceCode: string, address?: string) => post('token/', { deviceCode }, address);
const find = (userCode: string, as = user) => server.call('findDeviceLogin', { as, body: { userCode } });
const approve = (userCode: string, scopes: Permission[] = ['controllers.read'], as = user) =>
  server.call('approveDeviceLogin', { as, body: { userCode, scopes } });
const refusal = (error: string) => ({
  status: 400,
  body: { error, code: error, detail: expect.any(String) },
});
const wrongCode = { status: 400, body: { userCode: [expect.any(String)] } };

describe('login by a code', () => {
  it('a program gets a personal token of 30 days with what was chosen, once, and the owner a mail and a line of the log', async () => {
    const { deviceCode, userCode, ...started } = await start();
    expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(started).toEqual({
      verificationUri: `${server.publicUrl}/device`,
      expiresIn: 600,
      interval: 5,
    });
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
    const typed = ` ${userCode.toLowerCase().replace('-', ' ')}`;
    expect((await approve(typed, ['controllers.read'])).status).toBe(204);
    const { status, body } = await poll(deviceCode, '203.0.113.5');
    expect(status).toBe(200);
    const end = new Date(server.clock.now().getTime() + 30 * 24 * 3600_000).toISOString();
    const told = { name: 'pult@laptop-7', scopes: ['controllers.read'], expiresAt: end };
    expect(body).toEqual({ ...told, email: user.email, token: expect.stringMatching(/^pult_pat_/) });
    const { token } = body as { token: string };
    expect(await poll(deviceCode)).toMatchObject(refusal('invalid_grant'));

    const headers = bearer({ token });
    expect((await server.call('getCurrentUser', { headers })).status).toBe(200);
    expect(
      (await server.call('createToken', { headers, body: { name: 'x', scopes: ['controllers.read'] } }))
        .status,
    ).toBe(403);
    const listed = await server.call('listTokens', { as: user });
    expect(listed.body).toMatchObject([{ ...told, networks: [] }]);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'address', 'details'])
      .where('user_id', '=', user.id)
      .where('action', 'like', 'token.%')
      .execute();
    expect(events).toMatchObject([
      {
        action: 'token.created',
        address: '203.0.113.5',
        details: { name: told.name, approvedFrom: '127.0.0.1' },
      },
    ]);
    const [mail, ...others] = (await server.readMails()).filter(({ to }) => to === user.email);
    expect([mail?.kind, others]).toEqual(['program-logged-in', []]);
    for (const said of ['pult@laptop-7', '203.0.113.5', '127.0.0.1']) {
      expect(mail?.paragraphs.join('\n')).toContain(said);
    }
  });

  it('a program is shown with its name, its address and what it asks for, which is never to make tokens', async () => {
    const { userCode } = await start(['grants.manage', 'controllers.read'], '198.51.100.7');
    const { body } = await find(userCode);
    expect(body).toMatchObject({
      hostName: 'laptop-7',
      address: '198.51.100.7',
      ownAddress: '127.0.0.1',
      isSameNetwork: false,
      scopes: ['controllers.read', 'grants.manage'],
    });
    const { userCode: near } = await start(['controllers.read'], '127.0.0.1');
    expect((await find(near)).body).toMatchObject({ isSameNetwork: true });
    for (const wrong of [
      { scopes: ['tokens.manage'] },
      { scopes: [...permissionNames] },
      { scopes: [] },
      { scopes: ['controllers.read'], hostName: 'Support: call +1 555' },
      { scopes: ['controllers.read'], hostName: '‮evil' },
    ]) {
      expect((await post('', wrong, freeAddress())).status).toBe(400);
    }
    const more = await approve(near, ['controllers.read', 'controllers.delete']);
    expect(more).toMatchObject({ status: 400, body: { scopes: [expect.any(String)] } });
  });

  it('a program that is refused or late gets no token', async () => {
    const refused = await start();
    const denied = await server.call('denyDeviceLogin', { as: user, body: { userCode: refused.userCode } });
    expect(denied.status).toBe(204);
    expect(await approve(refused.userCode)).toMatchObject(wrongCode);
    expect(await poll(refused.deviceCode)).toMatchObject(refusal('access_denied'));

    const late = await start();
    const allowed = await start();
    await approve(allowed.userCode);
    server.clock.advance(600_000);
    expect(await approve(late.userCode)).toMatchObject(wrongCode);
    expect(await poll(late.deviceCode)).toMatchObject(refusal('expired_token'));
    expect(await poll(allowed.deviceCode)).toMatchObject(refusal('expired_token'));
    server.clock.advance(3600_000);
    await server.server.jobs.find(({ name }) => name === 'delete-expired-sessions')?.run();
    expect(await poll(late.deviceCode)).toMatchObject(refusal('invalid_grant'));
    expect(await poll('no-such-code')).toMatchObject(refusal('invalid_grant'));
  });

  it('a program that has not yet fetched its token gets none once the password is another one', async () => {
    const { deviceCode, userCode } = await start();
    const other = await start();
    await approve(userCode);
    await approve(other.userCode, undefined, await server.createUser());
    const body = { oldPassword: user.password, newPassword: 'Another long passphrase 7' };
    expect((await server.call('changePassword', { as: user, body })).status).toBe(204);
    expect(await poll(deviceCode)).toMatchObject(refusal('invalid_grant'));
    expect((await poll(other.deviceCode)).status).toBe(200);
  });

  it('a program that fetches its token while the password changes gets it or not, and neither waits for the other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const owner = await server.createUser();
      const { deviceCode, userCode } = await start();
      await approve(userCode, undefined, owner);
      const body = { oldPassword: owner.password, newPassword: 'Another long passphrase 7' };
      const [polled, changed] = await Promise.all([
        poll(deviceCode, freeAddress()),
        server.call('changePassword', { as: owner, body }),
      ]);
      expect([200, 400]).toContain(polled.status);
      expect(changed.status).toBe(204);
    }
  });

  it('a program that asks too often is told to slow down, for longer each time', async () => {
    const { deviceCode } = await start();
    await poll(deviceCode);
    expect(await poll(deviceCode)).toMatchObject(refusal('slow_down'));
    server.clock.advance(9_999);
    expect(await poll(deviceCode)).toMatchObject(refusal('slow_down'));
    server.clock.advance(15_000);
    expect(await poll(deviceCode)).toMatchObject(refusal('authorization_pending'));
  });

  it('a program gets its token once where it asks many times at once, and belongs to one of two who allow it at once', async () => {
    const { deviceCode, userCode } = await start();
    const other = await server.createUser();
    const answers = await Promise.all([approve(userCode), approve(userCode, undefined, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const polled = await Promise.all(Array.from({ length: 8 }, () => poll(deviceCode)));
    expect(polled.filter(({ status }) => status === 200)).toHaveLength(1);
    const tokens = await server.db
      .selectFrom('sessions')
      .select('user_id')
      .where('user_id', 'in', [user.id, other.id])
      .where('is_token', '=', true)
      .execute();
    expect(tokens).toHaveLength(1);
  });
});

describe('the code of a program', () => {
  it('a code makes its user wait after five wrong ones, however many come at once, and right ones do not count', async () => {
    const { userCode } = await start();
    for (let right = 0; right < 6; right += 1) expect((await find(userCode)).status).toBe(200);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => find(createUserCode())));
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
    expect(await find(userCode)).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect((await approve(userCode)).status).toBe(429);
    expect((await find(userCode, await server.createUser())).status).toBe(200);
  });

  it('a code is typed by a person: no token types it, and who has a second factor confirms it', async () => {
    const { userCode } = await start();
    const made = await server.call('createToken', {
      as: user,
      body: { name: 'x', scopes: [...permissionNames] },
    });
    const headers = bearer(made.body as { token: string });
    for (const [name, body] of [
      ['findDeviceLogin', { userCode }],
      ['approveDeviceLogin', { userCode, scopes: ['controllers.read'] }],
      ['denyDeviceLogin', { userCode }],
    ] as const) {
      expect(await server.call(name, { headers, body })).toMatchObject({
        status: 403,
        body: { code: 'token_forbidden' },
      });
    }
    await server.db
      .updateTable('users')
      .set({ totp_secret: Buffer.alloc(32) })
      .where('id', '=', user.id)
      .execute();
    expect(await approve(userCode)).toMatchObject({ status: 403, body: { code: 'totp_required' } });
  });

  it('a code stands in the database as a hash with a key', async () => {
    const { userCode, deviceCode } = await start();
    const rows = await server.db.selectFrom('device_logins').selectAll().execute();
    const text = JSON.stringify(rows);
    expect(text).not.toContain(deviceCode);
    const plain = userCode.replace('-', '');
    expect(rows.some((row) => row.user_code_hash.equals(hashUserCode(Buffer.alloc(32), plain)))).toBe(false);
    expect(hashUserCode(Buffer.alloc(32), plain)).not.toEqual(hashUserCode(Buffer.alloc(32, 1), plain));
  });

  it('a code is handed out thirty times in ten minutes to one network', async () => {
    const address = freeAddress();
    for (let count = 0; count < 30; count += 1) await start(undefined, address);
    const answer = await post('', { scopes: ['controllers.read'] }, address);
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  });

  it('a code is handed out to who has begun few logins, also where strangers have begun as many as there may be', async () => {
    const begin = async (address: string) =>
      (await post('', { scopes: ['controllers.read'] }, address)).status;
    for (const host of [1, 2, 3, 4]) expect(await begin(`10.200.1.${host}`)).toBe(200);
    await server.db
      .updateTable('rate_limits')
      .set({ acts: 5_000 })
      .where('key', '=', hashToken('device logins').toString('base64url'))
      .execute();
    expect(await begin('10.200.1.5')).toBe(429);
    const others = [];
    for (const host of [1, 2, 3, 4]) others.push(await begin(`10.201.1.${host}`));
    expect(others).toEqual([200, 200, 200, 429]);
    server.clock.advance(600_000);
  });

  it('a code is handed out 150 times in ten minutes to one site, by however many of its networks', async () => {
    const statuses = [];
    for (let count = 0; count < 151; count += 1) {
      const address = `2001:db8:7:${count.toString(16)}::1`;
      statuses.push((await post('', { scopes: ['controllers.read'] }, address)).status);
    }
    expect(statuses.indexOf(429)).toBe(150);
  });
});
