import { createTotpCode } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enableTotp, readCookies, type TotpUser } from './totp-user.fixture.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer({ environment: { SERVICE_NAME: 'Насосы' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await server.createUser();
});

const byCookie = (cookie: string) => ({ cookie, origin: server.publicUrl });

async function setUp(as: TestUser): Promise<{ secret: string; uri: string; qrCode: string }> {
  const answer = await server.call('setUpTotp', { as });
  expect(answer.status).toBe(200);
  return answer.body as Awaited<ReturnType<typeof setUp>>;
}

const activate = (as: TestUser, code: string) => server.call('activateTotp', { as, body: { code } });
const codeOf = (secret: string) => createTotpCode(secret, server.clock.now());

async function logInAgain({ email, password }: TestUser) {
  const answer = await server.call('login', { body: { username: email, password } });
  const { access } = answer.body as { access: string };
  return { access, cookie: `pult_session=${readCookies(answer).get('pult_session')}` };
}

async function statusOf(credential: { cookie: string } | { authorization: string }): Promise<number> {
  return (await server.call('getCurrentUser', { headers: { ...credential } })).status;
}

async function isEnabled(as: TestUser): Promise<boolean> {
  return ((await server.call('getCurrentUser', { as })).body as { totpEnabled: boolean }).totpEnabled;
}

async function confirm(as: TotpUser, scope: string): Promise<void> {
  const answer = await server.call('verifyTotp', { as, body: { scope, code: as.code() } });
  expect(answer.status).toBe(200);
}

/** The ids of sessions whose access is told to have ended while `work` runs. */
async function endedDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const ended: unknown[] = [];
  const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
  await work();
  stop();
  return ended;
}

describe('setting TOTP up', () => {
  // spec: 7.09
  it('shows a secret, its link and its picture, and turns nothing on', async () => {
    const { secret, uri, qrCode } = await setUp(user);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(new URL(uri).searchParams.get('issuer')).toBe('Насосы');
    expect(decodeURIComponent(new URL(uri).pathname)).toBe(`/Насосы:${user.email}`);
    expect(qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await isEnabled(user)).toBe(false);
    const login = await server.call('login', { body: { username: user.email, password: user.password } });
    expect(login.status).toBe(200);
  });

  it('again replaces the secret that was not activated', async () => {
    const first = await setUp(user);
    const second = await setUp(user);
    expect(second.secret).not.toBe(first.secret);
    const refused = await activate(user, codeOf(first.secret));
    expect(refused).toMatchObject({ status: 400, body: { code: [expect.stringMatching(/wrong/)] } });
    expect((await activate(user, codeOf(second.secret))).status).toBe(200);
  });

  it('setting TOTP up is finished by the session that began it, and by no other', async () => {
    const { secret } = await setUp(user);
    const other = { ...user, ...(await logInAgain(user)) };
    const refused = await activate(other, codeOf(secret));
    expect(refused).toMatchObject({ status: 409, body: { code: 'totp_setup_missing' } });
    expect((await activate(user, codeOf(secret))).status).toBe(200);
  });

  it('setting TOTP up is refused where the installation has it turned off, and so is finishing it', async () => {
    const closed = await createTestServer({ environment: { TOTP_AUTH_ENABLED: 'false' } });
    try {
      const as = await closed.createUser();
      const unavailable = { status: 409, body: { code: 'totp_unavailable' } };
      expect(await closed.call('setUpTotp', { as })).toMatchObject(unavailable);
      expect(await closed.call('activateTotp', { as, body: { code: '000000' } })).toMatchObject(unavailable);
    } finally {
      await closed.close();
    }
  });
});

describe('activating TOTP', () => {
  // spec: 7.10
  it('answers ten recovery codes, and the current user has TOTP from then on', async () => {
    const { secret } = await setUp(user);
    const answer = await activate(user, codeOf(secret));
    const { recoveryCodes } = answer.body as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^(\w{5}-){4}\w{5}$/);
    const me = await server.call('getCurrentUser', { as: user });
    expect(me.body).toMatchObject({ totpEnabled: true, hasRecoveryCodes: true });
  });

  it('gives the session another token, and leaves it the same session', async () => {
    const { secret } = await setUp(user);
    const before = await server.call('listSessions', { as: user });
    const body = { code: codeOf(secret) };
    const answer = await server.call('activateTotp', { headers: byCookie(user.cookie), body });
    const cookie = `pult_session=${readCookies(answer).get('pult_session')}`;
    expect(cookie).not.toBe(user.cookie);
    expect(await statusOf({ cookie })).toBe(200);
    expect(await statusOf({ cookie: user.cookie })).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${user.access}` })).toBe(200);
    expect((await server.call('listSessions', { as: user })).body).toEqual(before.body);
  });

  it('hands no cookie to one who came with an access token', async () => {
    const { secret } = await setUp(user);
    const answer = await activate(user, codeOf(secret));
    expect(answer.status).toBe(200);
    expect(readCookies(answer).size).toBe(0);
    expect(await statusOf({ cookie: user.cookie })).toBe(401);
  });

  it('ends the other sessions and tells of each, and touches nobody else’s', async () => {
    const stranger = await server.createUser();
    const { secret } = await setUp(user);
    const others = [await logInAgain(user), await logInAgain(user)];
    const listed = (await server.call('listSessions', { as: user })).body as {
      id: string;
      isCurrent: boolean;
    }[];
    const ended = await endedDuring(() => activate(user, codeOf(secret)));
    const ids = listed.filter((session) => !session.isCurrent).map(({ id }) => ({ sessionId: id }));
    expect(ids).toHaveLength(2);
    expect(ended).toHaveLength(2);
    expect(ended).toEqual(expect.arrayContaining(ids));
    for (const { cookie, access } of others) {
      expect(await statusOf({ cookie })).toBe(401);
      expect(await statusOf({ authorization: `Bearer ${access}` })).toBe(401);
    }
    expect(await statusOf({ cookie: stranger.cookie })).toBe(200);
  });

  it('refuses a wrong code, and locks after five', async () => {
    const { secret } = await setUp(user);
    const wrong = codeOf(secret) === '000000' ? '000001' : '000000';
    for (let round = 0; round < 5; round += 1) expect((await activate(user, wrong)).status).toBe(400);
    const locked = await activate(user, codeOf(secret));
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '30']);
    server.clock.advance(30_000);
    expect((await activate(user, codeOf(secret))).status).toBe(200);
  });

  it('needs a setup', async () => {
    const answer = await activate(user, '000000');
    expect(answer).toMatchObject({ status: 409, body: { code: 'totp_setup_missing' } });
  });

  it('happens once of five times at once, with the codes that were answered', async () => {
    const { secret } = await setUp(user);
    const answers = await Promise.all(Array.from({ length: 5 }, () => activate(user, codeOf(secret))));
    const succeeded = answers.filter(({ status }) => status === 200);
    expect(succeeded).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    const { recoveryCodes } = { recoveryCodes: [], ...(succeeded[0]?.body as object) };
    const [recoveryCode] = recoveryCodes;
    expect(recoveryCode).toBeTypeOf('string');
    const body = { username: user.email, password: user.password, recoveryCode };
    expect((await server.call('login', { body })).status).toBe(200);
  });

  it('activating TOTP is refused to one who has TOTP, and so is a new setup', async () => {
    const enabled = await enableTotp(server, user);
    const already = { status: 409, body: { code: 'totp_already_enabled' } };
    expect(await server.call('setUpTotp', { as: enabled })).toMatchObject(already);
    expect(await activate(enabled, enabled.code())).toMatchObject(already);
  });

  it('activating TOTP is recorded and mailed', async () => {
    await enableTotp(server, user);
    const mails = (await server.readMails()).filter(({ to }) => to === user.email);
    expect(mails).toMatchObject([{ kind: 'totp-enabled', subject: 'Second factor turned on – Насосы' }]);
    expect(mails[0]?.paragraphs.join('\n')).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC.*127\.0\.0\.1/s);
    expect(mails[0]?.action?.url).toBe(`${server.publicUrl}/security`);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['subject', 'address'])
      .where('user_id', '=', user.id)
      .where('action', '=', 'totp.enabled')
      .execute();
    expect(events).toEqual([{ subject: user.email, address: '127.0.0.1' }]);
  });
});

describe('turning TOTP off', () => {
  // spec: 7.11
  it('needs a confirmation, and then the password alone is enough', async () => {
    const enabled = await enableTotp(server, user);
    const refused = await server.call('disableTotp', { as: enabled });
    expect(refused).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    await confirm(enabled, 'disable_user_totp');
    const ended = await endedDuring(async () => {
      expect((await server.call('disableTotp', { as: enabled })).status).toBe(204);
    });
    expect(ended).toEqual([{ userId: user.id }]);
    const me = await server.call('getCurrentUser', { as: enabled });
    expect(me.body).toMatchObject({ totpEnabled: false, hasRecoveryCodes: false });
    expect(await logInAgain(user)).toMatchObject({ access: expect.any(String) });
    const codes = server.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id);
    expect(await codes.execute()).toEqual([]);
    const mails = (await server.readMails()).filter(({ to }) => to === user.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['totp-enabled', 'totp-disabled']);
    const actions = await server.db
      .selectFrom('audit_events')
      .select('action')
      .where('user_id', '=', user.id)
      .where('action', 'like', 'totp.%')
      .orderBy('id')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['totp.enabled', 'totp.confirmed', 'totp.disabled']);
  });

  it('turning TOTP off can be followed by turning it on with another secret', async () => {
    const enabled = await enableTotp(server, user);
    await confirm(enabled, 'disable_user_totp');
    await server.call('disableTotp', { as: enabled });
    const again = await enableTotp(server, enabled);
    expect(again.secret).not.toBe(enabled.secret);
    const logIn = (totpCode: string) =>
      server.call('login', { body: { username: user.email, password: user.password, totpCode } });
    expect((await logIn(enabled.code())).status).toBe(401);
    expect((await logIn(again.code())).status).toBe(200);
  });

  it('turning TOTP off is refused to one who has none', async () => {
    const answer = await server.call('disableTotp', { as: user });
    expect(answer).toMatchObject({ status: 409, body: { code: 'totp_not_enabled' } });
  });
});

describe('new recovery codes', () => {
  it('replace the old ones after a confirmation', async () => {
    const enabled = await enableTotp(server, user);
    const refused = await server.call('regenerateRecoveryCodes', { as: enabled });
    expect(refused).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    await confirm(enabled, 'regenerate_recovery_codes');
    const answer = await server.call('regenerateRecoveryCodes', { as: enabled });
    const { recoveryCodes } = answer.body as { recoveryCodes: string[] };
    expect(recoveryCodes).toHaveLength(10);
    const logIn = (recoveryCode = '') =>
      server.call('login', { body: { username: user.email, password: user.password, recoveryCode } });
    expect((await logIn(enabled.recoveryCodes[0])).status).toBe(401);
    expect((await logIn(recoveryCodes[0])).status).toBe(200);
    const events = server.db.selectFrom('audit_events').select('id').where('user_id', '=', user.id);
    expect(await events.where('action', '=', 'recovery_codes.regenerated').execute()).toHaveLength(1);
  });

  it('new recovery codes are ten however many ask at once, all of one answer', async () => {
    const enabled = await enableTotp(server, user);
    await confirm(enabled, 'regenerate_recovery_codes');
    const calls = Array.from({ length: 5 }, () => server.call('regenerateRecoveryCodes', { as: enabled }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const rows = server.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id);
    expect(await rows.execute()).toHaveLength(10);
  });

  it('new recovery codes are refused to one without TOTP', async () => {
    const answer = await server.call('regenerateRecoveryCodes', { as: user });
    expect(answer).toMatchObject({ status: 409, body: { code: 'totp_not_enabled' } });
  });
});
