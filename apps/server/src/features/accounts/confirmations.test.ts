import { lifetimes } from '@pult/contract';
import { createTestServer, type TestAnswer, type TestServer } from '@pult/testkit/in-process';
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

const scope = 'regenerate_recovery_codes';

function verify(fields: object, as = user): Promise<TestAnswer> {
  return server.call('verifyTotp', { as, body: { scope, ...fields } });
}

/** The status of what the scope guards, or the code of its refusal. */
async function useScope(headers: Record<string, string> = {}, as?: TotpUser): Promise<unknown> {
  const { status, body } = await server.call('regenerateRecoveryCodes', { headers, as });
  return status === 200 ? 200 : (body as { code: string }).code;
}

function wrongCode(): string {
  const right = [user.code(-1), user.code(0), user.code(1)];
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? '';
}

describe('a confirmation', () => {
  // spec: 7.12
  it('holds for five minutes, and says so', async () => {
    expect(await useScope({}, user)).toBe('totp_required');
    const answer = await verify({ code: user.code() });
    const expiresAt = new Date(server.clock.now().getTime() + lifetimes.totpConfirmation * 1000);
    expect(answer).toMatchObject({ status: 200, body: { scope, expiresAt: expiresAt.toISOString() } });
    server.clock.advance(lifetimes.totpConfirmation * 1000 - 1);
    expect(await useScope({}, user)).toBe(200);
    server.clock.advance(1);
    expect(await useScope({}, user)).toBe('totp_expired');
  });

  it('a confirmation is renewed by another code', async () => {
    await verify({ code: user.code() });
    server.clock.advance(lifetimes.totpConfirmation * 1000);
    expect((await verify({ code: user.code() })).status).toBe(200);
    expect(await useScope({}, user)).toBe(200);
  });

  it('a confirmation is of one scope', async () => {
    await verify({ scope: 'disable_user_totp', code: user.code() });
    expect(await useScope({}, user)).toBe('totp_required');
    expect((await server.call('disableTotp', { as: user })).status).toBe(204);
  });

  it('a confirmation is of one session', async () => {
    await verify({ code: user.code() });
    const body = { username: user.email, password: user.password, totpCode: user.code(1) };
    const login = await server.call('login', { body });
    const cookie = `pult_session=${readCookies(login).get('pult_session')}`;
    expect(await useScope({ cookie, origin: server.publicUrl })).toBe('totp_required');
    expect(await useScope({ cookie: user.cookie, origin: server.publicUrl })).toBe(200);
  });

  it('a confirmation may be given by a recovery code, once', async () => {
    const [recoveryCode] = user.recoveryCodes;
    expect((await verify({ recoveryCode })).status).toBe(200);
    expect(await useScope({}, user)).toBe(200);
    const again = await verify({ recoveryCode });
    expect(again).toMatchObject({ status: 400, body: { recoveryCode: [expect.stringMatching(/used/)] } });
  });

  it('dies with TOTP: turning it on anew asks anew', async () => {
    await verify({ code: user.code() });
    await verify({ scope: 'disable_user_totp', code: user.code(1) });
    expect((await server.call('disableTotp', { as: user })).status).toBe(204);
    const again = await enableTotp(server, user);
    expect(await useScope({}, again)).toBe('totp_required');
    expect(await server.call('disableTotp', { as: again })).toMatchObject({ status: 403 });
  });

  it('a confirmation is recorded with its scope, and so is a refused one', async () => {
    await verify({ code: wrongCode() });
    await verify({ code: user.code() });
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'address', 'details'])
      .where('user_id', '=', user.id)
      .where('action', 'in', ['totp.refused', 'totp.confirmed'])
      .orderBy('id')
      .execute();
    const event = { subject: user.email, address: '127.0.0.1', details: { scope } };
    expect(events).toEqual([
      { action: 'totp.refused', ...event },
      { action: 'totp.confirmed', ...event },
    ]);
  });
});

describe('confirming', () => {
  it('confirming by a wrong code names the field, and gives nothing', async () => {
    const answer = await verify({ code: wrongCode() });
    expect(answer).toMatchObject({ status: 400, body: { code: [expect.stringMatching(/wrong/)] } });
    const other = await verify({ recoveryCode: 'A'.repeat(25) });
    expect(other).toMatchObject({ status: 400, body: { recoveryCode: [expect.stringMatching(/wrong/)] } });
    expect(await useScope({}, user)).toBe('totp_required');
  });

  it('confirming by a code that a login has used is refused', async () => {
    const code = user.code();
    const body = { username: user.email, password: user.password, totpCode: code };
    expect((await server.call('login', { body })).status).toBe(200);
    expect((await verify({ code })).status).toBe(400);
  });

  it('evaluates exactly five of 50 codes at once, and locks', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify({ code: wrongCode() })));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
    const refused = server.db.selectFrom('audit_events').select('id').where('user_id', '=', user.id);
    expect(await refused.where('action', '=', 'totp.refused').execute()).toHaveLength(5);
    const locked = await verify({ code: user.code() });
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '30']);
    server.clock.advance(30_000);
    expect((await verify({ code: user.code() })).status).toBe(200);
    expect((await verify({ code: wrongCode() })).status).toBe(400);
  });

  it('takes neither none nor both of code and recovery code', async () => {
    const [recoveryCode] = user.recoveryCodes;
    for (const fields of [{}, { code: user.code(), recoveryCode }]) {
      expect(await verify(fields)).toMatchObject({ status: 400, body: { code: [expect.any(String)] } });
    }
    expect((await verify({ code: user.code() })).status).toBe(200);
  });

  it('confirming is refused to one without TOTP, who is not asked either', async () => {
    const plain = { ...user, ...(await server.createUser()) };
    const answer = await verify({ code: '000000' }, plain);
    expect(answer).toMatchObject({ status: 409, body: { code: 'totp_not_enabled' } });
    expect(await useScope({}, plain)).toBe('totp_not_enabled');
  });
});
