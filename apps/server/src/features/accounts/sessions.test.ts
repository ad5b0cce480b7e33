import type { Session } from '@pult/contract';
import { poll } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCookies } from './totp-user.fixture.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await server.createUser();
});

const day = 24 * 3600 * 1000;

async function logIn(as: TestUser, { address = '192.0.2.7', agent = 'Pump/2.1' } = {}): Promise<TestUser> {
  const answer = await server.request('POST', '/api/v1/auth/token/', {
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    payload: JSON.stringify({ username: as.email, password: as.password }),
    remoteAddress: address,
  });
  const { access } = answer.body as { access: string };
  return { ...as, access, cookie: `pult_session=${readCookies(answer).get('pult_session')}` };
}

async function list(as: TestUser): Promise<Session[]> {
  const answer = await server.call('listSessions', { as });
  expect(answer.status).toBe(200);
  return answer.body as Session[];
}

const currentId = async (as: TestUser) => (await list(as)).find(({ isCurrent }) => isCurrent)?.id ?? '';
const terminate = (as: TestUser, sessions: string[]) =>
  server.call('terminateSessions', { as, body: { sessions } });
const isAlive = async ({ cookie }: TestUser) =>
  (await server.call('getCurrentUser', { headers: { cookie } })).status === 200;

function countAudited() {
  return server.db
    .selectFrom('audit_events')
    .select(['subject', 'address', 'details'])
    .where('user_id', '=', user.id)
    .where('action', '=', 'sessions.terminated')
    .execute();
}

describe('the list of sessions', () => {
  it('tells where and since when the user is logged in, the last used first', async () => {
    const first = { createdAt: server.clock.now().toISOString(), address: '127.0.0.1' };
    server.clock.advance(90_000);
    const time = server.clock.now().toISOString();
    const phone = await logIn(user, { agent: `Phone/${'9'.repeat(400)}` });
    const answer = await list(phone);
    expect(answer).toMatchObject([
      { createdAt: time, lastUsedAt: time, address: '192.0.2.7', isCurrent: true },
      { ...first, lastUsedAt: first.createdAt, isCurrent: false },
    ]);
    expect(answer[0]?.userAgent).toBe(`Phone/${'9'.repeat(249)}`);
    expect((await list(user)).find(({ isCurrent }) => isCurrent)).toMatchObject(first);
  });

  it('leaves out what has ended and what is another user’s', async () => {
    await logIn(await server.createUser());
    const used = await logIn(user);
    server.clock.advance(29 * day);
    expect(await isAlive(used)).toBe(true);
    server.clock.advance(2 * day);
    const fresh = await logIn(user);
    expect(await list(fresh)).toHaveLength(2);
  });
});

describe('ending sessions', () => {
  it('ends the chosen ones at once, tells of each, and records it', async () => {
    const [one, two, kept] = [await logIn(user), await logIn(user), await logIn(user)];
    const ids = [await currentId(one), await currentId(two)];
    const ended: unknown[] = [];
    const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
    expect(await terminate(user, ids)).toMatchObject({ status: 204, body: undefined });
    stop();
    expect(ended).toHaveLength(2);
    expect(ended).toEqual(expect.arrayContaining(ids.map((sessionId) => ({ sessionId }))));
    expect([await isAlive(one), await isAlive(two), await isAlive(kept)]).toEqual([false, false, true]);
    const bearer = await server.call('getCurrentUser', { as: one });
    expect(bearer.status).toBe(401);
    const event = { subject: user.email, address: '127.0.0.1', details: { count: 2 } };
    expect(await countAudited()).toEqual([event]);
  });

  it('ending sessions of another user is ignored', async () => {
    const stranger = await server.createUser();
    const ended: unknown[] = [];
    const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
    expect((await terminate(user, [await currentId(stranger)])).status).toBe(204);
    stop();
    expect(await isAlive(stranger)).toBe(true);
    expect(ended).toEqual([]);
    expect(await countAudited()).toEqual([]);
  });

  it('waits for a change of the password that ends them too, and neither fails', async () => {
    // The other one is older: ending both meets it first.
    const own = await logIn(user);
    const [otherId, ownId] = [await currentId(user), await currentId(own)];
    let ending: Promise<unknown> | undefined;
    await server.db.transaction().execute(async (transaction) => {
      // What changing the password does, in its order.
      await transaction.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
      await transaction.updateTable('sessions').set({ user_agent: 'x' }).where('id', '=', ownId).execute();
      ending = terminate(user, [otherId, ownId]);
      await poll(server.isWaitingForLock, { what: 'the other transaction waits' });
      await transaction.deleteFrom('sessions').where('id', '=', otherId).execute();
    });
    expect(await ending).toMatchObject({ status: 204 });
    expect([await isAlive(user), await isAlive(own)]).toEqual([false, false]);
  });

  it('the current session may be ended, and the others go on', async () => {
    const other = await logIn(user);
    expect((await terminate(user, [await currentId(user)])).status).toBe(204);
    expect([await isAlive(user), await isAlive(other)]).toEqual([false, true]);
  });
});

describe('the current user', () => {
  // spec: 7.42
  it('changes the language of their mails, and a login sets it to its own', async () => {
    const body = { locale: 'ru' };
    const answer = await server.call('updateCurrentUser', { as: user, body });
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, locale: 'ru' } });
    expect((await server.call('getCurrentUser', { as: user })).body).toMatchObject({ locale: 'ru' });
    const credentials = { username: user.email, password: user.password };
    await server.call('login', { body: credentials, headers: { 'accept-language': 'en-GB,en' } });
    expect((await server.call('getCurrentUser', { as: user })).body).toMatchObject({ locale: 'en' });
  });

  it('keeps the language when a login fails, or says none', async () => {
    await server.call('updateCurrentUser', { as: user, body: { locale: 'en' } });
    const body = { username: user.email, password: 'wrong' };
    await server.call('login', { body, headers: { 'accept-language': 'ru' } });
    await logIn(user);
    expect((await server.call('getCurrentUser', { as: user })).body).toMatchObject({ locale: 'en' });
  });

  it('the current user can change nothing else of themselves', async () => {
    for (const body of [{ locale: 'de' }, { locale: 'ru', email: 'other@example.com' }, {}]) {
      expect((await server.call('updateCurrentUser', { as: user, body })).status).toBe(400);
    }
  });

  it('hears nothing of organizations that require TOTP where the installation knows none', async () => {
    await using closed = await createTestServer({ environment: { TOTP_AUTH_ENABLED: 'false' } });
    const member = await closed.createUser();
    await closed.createOrganization(member);
    await closed.db.updateTable('organizations').set({ totp_required: true }).execute();
    const answer = await closed.call('getCurrentUser', { as: member });
    expect(answer.body).toMatchObject({ hasTotpRequiredOrg: false });
  });
});
