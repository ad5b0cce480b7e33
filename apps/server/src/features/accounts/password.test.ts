import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventTopics } from '../../platform/events/events.ts';

let server: TestServer;
let user: TestUser;
const newPassword = 'a new password of 2026';

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('login_throttle').execute();
  user = await server.createUser();
});

const byCookie = (cookie = user.cookie) => ({ headers: { cookie, origin: server.publicUrl } });
const change = (body: object = {}, options: object = { as: user }) =>
  server.call('changePassword', { body: { oldPassword: user.password, newPassword, ...body }, ...options });
const logIn = (password: string) =>
  server.call('login', { body: { username: user.email, password }, headers: { 'user-agent': 'another' } });
const statusOf = async (options: object) => (await server.call('getCurrentUser', options)).status;
const sessionCookie = (answer: TestAnswer) =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .find((line) => line.startsWith('pult_session='))
    ?.split(';')[0] ?? '';
const sessionIds = async () => {
  const rows = await server.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  return rows.map(({ id }) => id);
};

describe('changing the password', () => {
  // spec: 7.08
  it('makes the new one good and the old one wrong', async () => {
    expect(await change()).toMatchObject({ status: 204, body: undefined });
    expect((await logIn(user.password)).body).toMatchObject({ code: 'invalid_credentials' });
    expect((await logIn(newPassword)).status).toBe(200);
  });

  it('gives this session another cookie, and the old one is dead', async () => {
    const [session] = await sessionIds();
    const answer = await change({}, byCookie());
    expect(answer.status).toBe(204);
    const cookie = sessionCookie(answer);
    expect(cookie).toMatch(/^pult_session=[\w-]{43}$/);
    expect(cookie).not.toBe(user.cookie);
    expect(await statusOf(byCookie())).toBe(401);
    expect(await statusOf(byCookie(cookie))).toBe(200);
    expect(await sessionIds()).toEqual([session]);
    expect(await statusOf({ as: user })).toBe(200);
  });

  it('gives no cookie to whoever came with an access token only', async () => {
    expect(sessionCookie(await change())).toBe('');
    expect(await statusOf({ as: user })).toBe(200);
  });

  it('ends the other sessions, and says so to what lives by them', async () => {
    const [own] = await sessionIds();
    const access = async () => ((await logIn(user.password)).body as { access: string }).access;
    const others = [await access(), await access()];
    const otherIds = (await sessionIds()).filter((id) => id !== own);
    const stranger = await server.createUser();
    const ended: EventTopics['accessEnded'][] = [];
    const unsubscribe = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
    await change();
    unsubscribe();
    for (const other of others) expect(await statusOf({ as: { ...user, access: other } })).toBe(401);
    expect(await statusOf({ as: stranger })).toBe(200);
    expect(ended.map(({ sessionId }) => sessionId).sort()).toEqual(otherIds.sort());
  });

  it('changing the password is told to the account’s owner by mail, and recorded', async () => {
    await change();
    const mails = (await server.readMails()).filter(({ to }) => to === user.email);
    expect(mails).toMatchObject([{ kind: 'password-changed', subject: 'Password changed – Pult' }]);
    expect(mails[0]?.paragraphs.join(' ')).toContain('127.0.0.1');
    const event = await server.db
      .selectFrom('audit_events')
      .selectAll()
      .where('user_id', '=', user.id)
      .where('action', '=', 'password.changed')
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ subject: user.email, address: '127.0.0.1', details: { endedSessions: 0 } });
    expect(JSON.stringify([event, mails])).not.toContain(newPassword);
  });

  it('kills the links that could set another', async () => {
    await server.call('requestPasswordReset', { body: { email: user.email } });
    const [, uid, token] =
      /\/password-reset\/([^/]+)\/([^/]+)\//.exec(JSON.stringify(await server.readMails())) ?? [];
    await change();
    const answer = await server.call('confirmPasswordReset', {
      body: { uid, token, newPassword: 'yet another 1' },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: 'reset_token_invalid' } });
    const kinds = (await server.readMails()).filter(({ to }) => to === user.email).map(({ kind }) => kind);
    expect(kinds).toEqual(['password-changed']);
    expect((await logIn(newPassword)).status).toBe(200);
  });

  it('changing the password is refused with a wrong old password, and changes nothing', async () => {
    const answer = await change({ oldPassword: 'wrong' });
    expect(answer).toMatchObject({ status: 400, body: { oldPassword: ['Wrong password.'] } });
    expect((await logIn(user.password)).status).toBe(200);
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'address', 'details'])
      .where('user_id', '=', user.id)
      .where('action', 'like', 'password.%')
      .execute();
    const action = 'password.change_refused';
    expect(events).toEqual([{ action, subject: user.email, address: '127.0.0.1', details: {} }]);
  });

  it('says one thing of what is no string at all', async () => {
    for (const wrong of [['x'], [], { length: 3 }, 5]) {
      const answer = await change({ newPassword: wrong, oldPassword: wrong });
      const message = ['A string is expected.'];
      expect(answer).toMatchObject({ status: 400, body: { newPassword: message, oldPassword: message } });
    }
  });

  it.each([
    ['password1', 'This password is too common.'],
    ['short', 'At least 8 characters.'],
    ['x'.repeat(71), 'At most 70 characters.'],
  ])('changing the password is refused to become %s', async (password, message) => {
    expect(await change({ newPassword: password })).toMatchObject({
      status: 400,
      body: { newPassword: [message] },
    });
    expect((await logIn(user.password)).status).toBe(200);
  });

  it('changing the password is refused to become the email', async () => {
    const answer = await change({ newPassword: user.email.toUpperCase() });
    expect(answer).toMatchObject({
      status: 400,
      body: { newPassword: ['The password may not be the email.'] },
    });
  });

  it('evaluates exactly five of 50 parallel guesses at the old password', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => change({ oldPassword: 'wrong' })));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45);
    expect(answers.at(-1)?.headers['retry-after'] ?? answers[0]?.headers['retry-after']).toBeDefined();
    expect((await change()).body).toMatchObject({ code: 'too_many_attempts' });
  });

  it('changing the password does not count what was right', async () => {
    let [old, next] = [user.password, newPassword];
    for (let round = 0; round < 6; round += 1) {
      expect((await change({ oldPassword: old, newPassword: next })).status).toBe(204);
      [old, next] = [next, `${next}.`];
    }
  });

  it('succeeds for one of two that race', async () => {
    const answers = await Promise.all([
      change({ newPassword: 'the first of them' }),
      change({ newPassword: 'the second of them' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const logins = [await logIn('the first of them'), await logIn('the second of them')];
    const winner = answers.findIndex(({ status }) => status === 204);
    expect(logins.map(({ status }) => status)).toEqual(winner === 0 ? [200, 401] : [401, 200]);
  });

  it('needs a confirmation of who has a second factor', async () => {
    await server.db
      .updateTable('users')
      .set({ totp_secret: Buffer.from('encrypted') })
      .where('id', '=', user.id)
      .execute();
    expect(await change()).toMatchObject({ status: 403, body: { code: 'totp_required' } });
  });
});
