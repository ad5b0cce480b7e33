import { createTestServer, type TestMail, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordStatements } from '../../platform/db/record-statements.fixture.ts';
import type { EventTopics } from '../../platform/events/events.ts';

let server: TestServer;
let user: TestUser;
const newPassword = 'a new password of 2026';

beforeAll(async () => {
  server = await createTestServer({
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pult@example.com' },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('login_throttle').execute();
  await server.db.deleteFrom('rate_limits').execute();
  await server.db.deleteFrom('deliveries').execute();
  user = await server.createUser();
});

const ask = (email = user.email, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  server.request('POST', '/api/v1/auth/password/reset/', {
    headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
    payload: JSON.stringify({ email }),
    remoteAddress,
  });
const mailsTo = async (email = user.email) => (await server.readMails()).filter(({ to }) => to === email);
function readLink(mail: TestMail | undefined): { uid: string; token: string } {
  const [, uid = '', token = ''] =
    /\/password-reset\/([^/]+)\/([^/]+)\/$/.exec(mail?.action?.url ?? '') ?? [];
  return { uid, token };
}
/** Asks and opens the mail. */
async function getLink(): Promise<{ uid: string; token: string }> {
  await ask();
  return readLink((await mailsTo()).at(-1));
}
const confirm = (body: object) =>
  server.call('confirmPasswordReset', {
    body: { newPassword, ...body },
    headers: { 'accept-language': 'en' },
  });
const logIn = (password: string) => server.call('login', { body: { username: user.email, password } });
const invalid = {
  status: 400,
  body: {
    code: 'reset_token_invalid',
    detail: 'The link to reset the password has expired or was already used.',
  },
};

describe('asking for a link', () => {
  // spec: 7.06
  it('mails one of the public address in the account’s language', async () => {
    await server.db.updateTable('users').set({ locale: 'ru' }).where('id', '=', user.id).execute();
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 200,
      body: { detail: 'If there is such an account, we have mailed it a link to set a new password.' },
    });
    const [mail, ...others] = await mailsTo();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'password-reset', subject: 'Смена пароля — Pult' });
    expect(mail?.action?.url).toMatch(
      new RegExp(`^http://localhost:8080/password-reset/${user.id}/[\\w-]{43}/$`),
    );
  });

  it('answers in the language of the request', async () => {
    expect((await ask(user.email, { 'accept-language': 'ru' })).body).toEqual({
      detail: 'Если такая учётная запись есть, мы отправили на её почту ссылку для смены пароля.',
    });
  });

  it('takes the email in any case', async () => {
    await ask(` ${user.email.toUpperCase()} `);
    expect(await mailsTo()).toHaveLength(1);
  });

  it('answers an unknown email alike, and nothing is mailed or queued', async () => {
    const jobs = () =>
      server.db
        .selectFrom('graphile_worker._private_jobs' as 'deliveries')
        .selectAll()
        .execute();
    const before = (await jobs()).length;
    const unknown = await ask('nobody@example.com');
    expect(await server.readMails()).toEqual([]);
    expect(
      await server.db.selectFrom('password_resets').selectAll().where('user_id', '=', user.id).execute(),
    ).toEqual([]);
    expect(await jobs()).toHaveLength(before);
    const known = await ask();
    expect(await jobs()).toHaveLength(before + 1);
    expect({ ...unknown, headers: {} }).toEqual({ ...known, headers: {} });
    expect(Object.keys(unknown.headers).sort()).toEqual(Object.keys(known.headers).sort());
  });

  it('asks the same of the database, whether or not there is an account', async () => {
    const known = await recordStatements(() => ask());
    const unknown = await recordStatements(() => ask('nobody@example.com'));
    expect(known).toContain('release savepoint before_work');
    expect(unknown).toEqual(
      known.map((each) => (each.startsWith('release') ? 'rollback to savepoint before_work' : each)),
    );
  });

  it('asking for a link is recorded, whether or not there is an account', async () => {
    await server.db.deleteFrom('audit_events').execute();
    await ask();
    await ask('nobody@example.com');
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'subject', 'address'])
      .orderBy('id')
      .execute();
    const event = { action: 'password.reset_requested', address: '192.0.2.1' };
    expect(events).toEqual([
      { ...event, user_id: user.id, subject: user.email },
      { ...event, user_id: null, subject: 'nobody@example.com' },
    ]);
  });

  it('stores no token as it is', async () => {
    const { token } = await getLink();
    const rows = await server.db.selectFrom('password_resets').selectAll().execute();
    const mails = await server.db.selectFrom('deliveries').selectAll().execute();
    const stored = [
      ...rows.map((row) => row.token_hash),
      ...mails.map((mail) => mail.content ?? Buffer.of()),
    ];
    for (const bytes of stored) {
      expect(bytes.includes(token)).toBe(false);
      expect(bytes.includes(Buffer.from(token, 'base64url'))).toBe(false);
    }
  });

  it.each<Record<string, string>>([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    { forwarded: 'host=evil.example;proto=https' },
    { 'x-original-url': 'https://evil.example/', 'x-rewrite-url': '//evil.example/' },
    { host: 'localhost:8080@evil.example' },
  ])('makes its link without a look at %j', async (headers) => {
    const answer = await ask(user.email, headers);
    expect(answer.status).toBe(200);
    const [mail] = await mailsTo();
    expect(mail?.action?.url).toMatch(/^http:\/\/localhost:8080\/password-reset\//);
    expect(JSON.stringify(mail)).not.toContain('evil');
  });

  it('asking for a link is refused to a page of another origin', async () => {
    expect(await ask(user.email, { origin: 'https://evil.example' })).toMatchObject({
      status: 400,
      body: { code: 'origin_forbidden' },
    });
    expect(await mailsTo()).toEqual([]);
  });

  it('asking for a link is refused for an hour after five times from one network, and to nobody elsewhere', async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 7; time += 1) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await ask()).headers['retry-after']).toBe('3600');
    expect((await ask(user.email, {}, '198.51.100.7')).status).toBe(200);
    expect((await ask('another@example.com')).status).toBe(200);
    server.clock.advance(3600_000);
    expect((await ask()).status).toBe(200);
  });

  it('asking for a link is refused to one network after 30 accounts in an hour', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(`nobody${index}@example.com`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect((await ask(user.email, {}, '198.51.100.7')).status).toBe(200);
  });

  it('fills no mailbox, and the owner still has links that work', async () => {
    for (let time = 0; time < 25; time += 1) {
      expect((await ask(user.email, {}, `198.51.100.${time}`)).status).toBe(200);
    }
    const mails = await mailsTo();
    expect(mails).toHaveLength(20);
    expect((await confirm(readLink(mails[0]))).status).toBe(200);
  });

  it.each([[['a@example.com']], [{ $ne: '' }], [null], [1], ['nobody'], ['a@b.c\r\nBcc: x@example.com']])(
    'takes no %j for an email',
    async (email) => {
      const answer = await server.call('requestPasswordReset', { body: { email } });
      expect(answer).toMatchObject({ status: 400, body: { email: [expect.any(String)] } });
    },
  );
});

describe('without a mail server', () => {
  it('the answer says who has the link', async () => {
    await using local = await createTestServer();
    const { email } = await local.createUser();
    const detail =
      'Mail is not set up on this server. Ask its administrator for the link to set a new password.';
    for (const each of [email, 'nobody@example.com']) {
      expect((await local.call('requestPasswordReset', { body: { email: each } })).body).toEqual({ detail });
    }
    expect(await local.readMails()).toMatchObject([{ kind: 'password-reset', to: email }]);
  });
});

describe('using the link', () => {
  // spec: 7.07
  it('sets the password, and the login is done with it', async () => {
    const answer = await confirm(await getLink());
    expect(answer).toMatchObject({
      status: 200,
      body: { detail: 'The password is changed. Log in with it.' },
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect((await logIn(newPassword)).status).toBe(200);
    expect((await logIn(user.password)).status).toBe(401);
  });

  it('ends every session, and says so to what lives by them', async () => {
    const stranger = await server.createUser();
    const link = await getLink();
    const ended: EventTopics['accessEnded'][] = [];
    const unsubscribe = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
    await confirm(link);
    unsubscribe();
    expect(ended).toEqual([{ userId: user.id }]);
    expect((await server.call('getCurrentUser', { as: user })).status).toBe(401);
    expect((await server.call('getCurrentUser', { headers: { cookie: user.cookie } })).status).toBe(401);
    expect((await server.call('getCurrentUser', { as: stranger })).status).toBe(200);
  });

  it('using the link is told by mail and recorded, and the link’s own mail is gone', async () => {
    await confirm(await getLink());
    expect((await mailsTo()).map(({ kind }) => kind)).toEqual(['password-changed']);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'address'])
      .where('user_id', '=', user.id)
      .where('action', '=', 'password.reset')
      .execute();
    expect(events).toEqual([{ action: 'password.reset', address: '127.0.0.1' }]);
  });

  it('works once', async () => {
    const link = await getLink();
    expect((await confirm(link)).status).toBe(200);
    expect(await confirm({ ...link, newPassword: 'of a thief who came late' })).toMatchObject(invalid);
    expect((await logIn(newPassword)).status).toBe(200);
  });

  it('works once of ten at the same time', async () => {
    const link = await getLink();
    const passwords = Array.from({ length: 10 }, (_, index) => `new password ${index}`);
    const answers = await Promise.all(passwords.map((each) => confirm({ ...link, newPassword: each })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await logIn(winner)).status).toBe(200);
  });

  it('kills the other links of the account, and those of nobody else', async () => {
    const [first, second] = [await getLink(), await getLink()];
    const other = await server.createUser();
    await ask(other.email);
    const others = readLink((await mailsTo(other.email))[0]);
    expect((await confirm(second)).status).toBe(200);
    expect(await confirm(first)).toMatchObject(invalid);
    expect((await confirm(others)).status).toBe(200);
  });

  it('works until its hour is over', async () => {
    const [early, late] = [await getLink(), await getLink()];
    server.clock.advance(3600_000 - 1);
    expect((await confirm(early)).status).toBe(200);
    const again = await getLink();
    server.clock.advance(3600_000);
    expect(await confirm(again)).toMatchObject(invalid);
    expect(await confirm(late)).toMatchObject(invalid);
  });

  it('using the link does not work for another account, nor for none', async () => {
    const link = await getLink();
    const other = await server.createUser();
    for (const uid of [other.id, 'nobody', '00000000-0000-0000-0000-000000000000', "' or 1=1 --", '%']) {
      expect(await confirm({ ...link, uid })).toMatchObject(invalid);
    }
    expect(await confirm({ ...link, token: `${link.token.slice(1)}A` })).toMatchObject(invalid);
    expect((await confirm(link)).status).toBe(200);
  });

  it('using the link is not used up by a password that is refused', async () => {
    const link = await getLink();
    expect(await confirm({ ...link, newPassword: 'password1' })).toMatchObject({
      status: 400,
      body: { newPassword: ['This password is too common.'] },
    });
    expect(await confirm({ ...link, newPassword: user.email })).toMatchObject({
      status: 400,
      body: { newPassword: ['The password may not be the email.'] },
    });
    expect((await confirm(link)).status).toBe(200);
  });

  it.each([
    { uid: ['a'] },
    { uid: { $gt: '' } },
    { token: ['a'] },
    { token: { $gt: '' } },
    { token: null },
    { newPassword: ['long enough 1'] },
    { newPassword: { length: 20 } },
    { userId: 'extra' },
  ])('takes no %j', async (field) => {
    const answer = await confirm({ ...(await getLink()), ...field });
    expect(answer).toMatchObject({
      status: 400,
      body: { [Object.keys(field)[0] ?? '']: expect.arrayContaining([expect.any(String)]) },
    });
  });

  it('using the link does not spare who has a second factor their code', async () => {
    const link = await getLink();
    await server.db
      .updateTable('users')
      .set({ totp_secret: Buffer.from('encrypted') })
      .where('id', '=', user.id)
      .execute();
    expect((await confirm(link)).status).toBe(200);
    expect(await logIn(newPassword)).toMatchObject({ status: 401, body: { code: 'totp_required' } });
  });

  it('leaves nothing behind when nobody uses it', async () => {
    await getLink();
    server.clock.advance(3600_000);
    await server.server.jobs.find(({ name }) => name === 'delete-expired-password-resets')?.run();
    await server.server.jobs.find(({ name }) => name === 'forget-deliveries')?.run();
    expect(await server.db.selectFrom('password_resets').selectAll().execute()).toEqual([]);
    expect(await mailsTo()).toEqual([]);
  });

  it('races with a change of the password without a lock-up, and one of both passwords holds', async () => {
    for (let round = 0; round < 5; round += 1) {
      await server.db.deleteFrom('rate_limits').execute();
      user = await server.createUser();
      const link = await getLink();
      const [reset, change] = await Promise.all([
        confirm(link),
        server.call('changePassword', {
          as: user,
          body: { oldPassword: user.password, newPassword: 'changed at that time' },
        }),
      ]);
      expect([200, 400]).toContain(reset.status);
      expect([204, 400, 401]).toContain(change.status);
      const logins = [await logIn(newPassword), await logIn('changed at that time')];
      expect(logins.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });
});
