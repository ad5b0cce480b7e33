import { randomBytes } from 'node:crypto';
import { poll } from '@pult/testkit';
import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enableTotp, readCookies, type TotpUser } from './totp-user.fixture.ts';

let server: TestServer;
let user: TotpUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await enableTotp(server, await server.createUser());
});

interface SecondStep {
  totpCode?: string;
  recoveryCode?: string;
  password?: string;
  address?: string;
}

function login(
  { address = '192.0.2.1', ...fields }: SecondStep = {},
  as: TestUser = user,
): Promise<TestAnswer> {
  return server.request('POST', '/api/v1/auth/token/', {
    headers: { 'content-type': 'application/json', 'accept-language': 'en' },
    payload: JSON.stringify({ username: as.email, password: as.password, ...fields }),
    remoteAddress: address,
  });
}

async function countSessions(): Promise<number> {
  const rows = await server.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  return rows.length;
}

/** Refused with this code, and neither a session nor a cookie is left behind. */
async function expectRefusal(answer: TestAnswer, code: string): Promise<void> {
  expect([answer.status, answer.body]).toEqual([401, { code, detail: expect.stringMatching(/\.$/) }]);
  expect(readCookies(answer).size).toBe(0);
  expect(await countSessions()).toBe(1);
}

/** Another code than any that is right now. */
function wrongCode(): string {
  const right = [user.code(-1), user.code(0), user.code(1)];
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? '';
}

function audited(action: string) {
  return server.db
    .selectFrom('audit_events')
    .select(['subject', 'address', 'details'])
    .where('user_id', '=', user.id)
    .where('action', '=', action)
    .orderBy('id')
    .execute();
}

describe('login of a user with TOTP', () => {
  it('asks for a code after the right password, and records it', async () => {
    await expectRefusal(await login(), 'totp_required');
    const event = { subject: user.email, address: '192.0.2.1', details: { reason: 'login_totp_required' } };
    expect(await audited('login.refused')).toEqual([event]);
  });

  // spec: 1.04, 7.04
  it('succeeds with the code, which may be typed in parts', async () => {
    const totpCode = `${user.code().slice(0, 3)} ${user.code().slice(3)}`;
    const answer = await login({ totpCode });
    expect(answer).toMatchObject({ status: 200, body: { access: expect.any(String) } });
    const cookie = `pult_session=${readCookies(answer).get('pult_session')}`;
    const me = await server.call('getCurrentUser', { headers: { cookie } });
    expect(me).toMatchObject({ status: 200, body: { totpEnabled: true, hasRecoveryCodes: true } });
  });

  it('refuses a wrong code, and records it', async () => {
    await expectRefusal(await login({ totpCode: wrongCode() }), 'totp_invalid');
    await expectRefusal(await login({ totpCode: '12345' }), 'totp_invalid');
    await expectRefusal(await login({ totpCode: 'абвгде' }), 'totp_invalid');
    const details = { reason: 'totp_invalid' };
    expect(await audited('login.refused')).toMatchObject([{ details }, { details }, { details }]);
  });

  it('looks at no code before the password is right, and leaves the code good', async () => {
    const [recoveryCode = ''] = user.recoveryCodes;
    const proofs = { totpCode: user.code(), recoveryCode };
    await expectRefusal(await login({ ...proofs, password: 'wrong' }), 'invalid_credentials');
    expect((await login({ totpCode: proofs.totpCode })).status).toBe(200);
    expect((await login({ recoveryCode })).status).toBe(200);
  });

  it('takes a code of one step before or after, and none further away', async () => {
    await expectRefusal(await login({ totpCode: user.code(2) }), 'totp_invalid');
    server.clock.advance(60_000);
    await expectRefusal(await login({ totpCode: user.code(-2) }), 'totp_invalid');
    expect((await login({ totpCode: user.code(-1) })).status).toBe(200);
    expect((await login({ totpCode: user.code(1) })).status).toBe(200);
  });

  it('takes no step twice, nor one before the last accepted', async () => {
    const earlier = user.code();
    const later = user.code(1);
    expect((await login({ totpCode: later })).status).toBe(200);
    for (const totpCode of [later, earlier]) {
      expect((await login({ totpCode })).body).toMatchObject({ code: 'totp_invalid' });
    }
    server.clock.advance(60_000);
    expect((await login({ totpCode: user.code() })).status).toBe(200);
  });

  it('takes the code that turned TOTP on no second time', async () => {
    await expectRefusal(await login({ totpCode: user.code(-1) }), 'totp_invalid');
  });

  // spec: 7.04
  it('succeeds once with a recovery code, in whatever form it is typed', async () => {
    const [first = '', second = ''] = user.recoveryCodes;
    const typed = first.toLowerCase().replaceAll('-', ' ');
    expect((await login({ recoveryCode: typed })).status).toBe(200);
    expect((await login({ recoveryCode: first })).body).toMatchObject({ code: 'totp_invalid' });
    expect((await login({ recoveryCode: second })).status).toBe(200);
    const used = { subject: user.email, address: '192.0.2.1' };
    expect(await audited('recovery_code.used')).toMatchObject([used, used]);
  });

  it('refuses a recovery code of another user', async () => {
    const other = await enableTotp(server, await server.createUser());
    await expectRefusal(await login({ recoveryCode: other.recoveryCodes[0] ?? '' }), 'totp_invalid');
    expect((await login({ recoveryCode: other.recoveryCodes[0] ?? '' }, other)).status).toBe(200);
  });

  it('asks also where the installation knows no TOTP any more', async () => {
    const closed = await createTestServer({ environment: { TOTP_AUTH_ENABLED: 'false' } });
    try {
      const member = await closed.createUser();
      await closed.db
        .updateTable('users')
        .set({ totp_secret: randomBytes(48) })
        .where('id', '=', member.id)
        .execute();
      const body = { username: member.email, password: member.password };
      const answer = await closed.call('login', { body });
      expect(answer).toMatchObject({ status: 401, body: { code: 'totp_required' } });
    } finally {
      await closed.close();
    }
  });

  it('looks at no code of a user without TOTP', async () => {
    const plain = await server.createUser();
    expect((await login({ totpCode: '000000' }, plain)).status).toBe(200);
  });

  it('keeps the secret and the recovery codes in no readable form', async () => {
    const rows = await server.db.selectFrom('users').selectAll().where('id', '=', user.id).execute();
    const encrypted = rows[0]?.totp_secret ?? Buffer.alloc(0);
    expect(encrypted.length).toBeGreaterThan(32);
    expect(encrypted.toString('latin1')).not.toContain(user.secret);
    const codes = await server.db.selectFrom('recovery_codes').selectAll().execute();
    const stored = codes.map((row) => row.code_hash.toString('latin1'));
    for (const code of user.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });
});

describe('copies of one code at once', () => {
  it('give exactly one of 50 access, over login and confirmation alike', async () => {
    const totpCode = user.code();
    // Each login from an address of its own, and no more confirmations than are evaluated at all.
    const logins = Array.from({ length: 46 }, (_, index) =>
      login({ totpCode, address: `198.51.100.${index}` }),
    );
    const body = { scope: 'disable_user_totp', code: totpCode };
    const confirmations = Array.from({ length: 4 }, () => server.call('verifyTotp', { as: user, body }));
    const statuses = (await Promise.all([...logins, ...confirmations])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401 || status === 400)).toHaveLength(49);
  });

  it('twenty simultaneous uses of a recovery code give exactly one access', async () => {
    const [recoveryCode = ''] = user.recoveryCodes;
    const logins = Array.from({ length: 20 }, (_, index) =>
      login({ recoveryCode, address: `198.51.100.${index}` }),
    );
    const statuses = (await Promise.all(logins)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(19);
  });
});

describe('wrong codes', () => {
  it('lock the account from that address like wrong passwords', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect((await login({ totpCode: wrongCode() })).status).toBe(401);
    }
    const locked = await login({ totpCode: user.code() });
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '30']);
    expect((await login({ totpCode: user.code(), address: '192.0.2.2' })).status).toBe(200);
  });

  it('wrong codes and wrong passwords add up, and the right password alone neither counts nor resets them', async () => {
    const passwordAlone = async () => {
      for (let round = 0; round < 6; round += 1) await expectRefusal(await login(), 'totp_required');
    };
    await passwordAlone();
    await login({ totpCode: wrongCode() });
    await login({ password: 'wrong' });
    await passwordAlone();
    await login({ totpCode: wrongCode() });
    await login({ password: 'wrong' });
    await passwordAlone();
    expect((await login({ totpCode: wrongCode() })).status).toBe(401);
    expect((await login({ totpCode: user.code() })).status).toBe(429);
    server.clock.advance(30_000);
    await passwordAlone();
    expect((await login({ totpCode: wrongCode() })).status).toBe(401);
    expect((await login()).headers['retry-after']).toBe('60');
  });

  it('wrong codes are forgotten once both password and code have been right', async () => {
    for (let round = 0; round < 4; round += 1) await login({ totpCode: wrongCode() });
    expect((await login({ totpCode: user.code() })).status).toBe(200);
    for (let round = 0; round < 5; round += 1) {
      expect((await login({ totpCode: wrongCode() })).status).toBe(401);
    }
    expect((await login()).status).toBe(429);
  });
});

/** Changes the user while a login has the old password right and waits to make its session. */
async function loginDuring(change: Partial<{ password_hash: string; totp_secret: Buffer }>, as: TestUser) {
  let answer: Promise<TestAnswer> | undefined;
  await server.db.transaction().execute(async (transaction) => {
    await transaction.updateTable('users').set(change).where('id', '=', as.id).execute();
    answer = login({}, as);
    await poll(server.isWaitingForLock, { what: 'the login waits' });
  });
  return answer as Promise<TestAnswer>; // made within the transaction
}

describe('a login that is overtaken', () => {
  it.each([
    ['a new password', { password_hash: '$argon2id$another' }],
    ['TOTP turned on', { totp_secret: randomBytes(48) }],
  ])('a login that is overtaken by %s leaves no session', async (_, change) => {
    const plain = await server.createUser();
    const answer = await loginDuring(change, plain);
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    const sessions = server.db.selectFrom('sessions').select('id').where('user_id', '=', plain.id);
    expect(await sessions.execute()).toHaveLength(1);
  });
});
