import { type AccessToken, type CreatedToken, limits, permissionNames } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Events } from '../../../platform/events/events.ts';
import { hashToken } from '../../../platform/ids.ts';
import { enableTotp } from '../totp-user.fixture.ts';
import { addToken, bearer } from './tokens.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const list = async (as: TestUser) => (await server.call('listTokens', { as })).body as AccessToken[];
const after = (seconds: number) => new Date(server.clock.now().getTime() + seconds * 1000).toISOString();
const read = async (token: { token: string }) =>
  (await server.call('getCurrentUser', { headers: bearer(token) })).status;
const year = 365 * 24 * 3600;

it('a token is shown once, listed without itself, and stored as a hash', async () => {
  const user = await server.createUser();
  const expiresAt = after(90 * 24 * 3600);
  const made = await addToken(server, user, ['tunnels.open', 'controllers.read'], {
    name: '  Скрипт ',
    expiresAt,
    networks: ['10.1.2.3/8', '::ffff:192.0.2.7', '10.0.0.0/8'],
  });
  const { token, ...shown } = made;
  expect(token).toMatch(/^pult_pat_[0-9A-Za-z]{36}$/);
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Скрипт',
    prefix: token.slice(0, 13),
    scopes: ['controllers.read', 'tunnels.open'],
    networks: ['10.0.0.0/8', '192.0.2.7'],
    createdAt: server.clock.now().toISOString(),
    expiresAt,
    isExpired: false,
    lastUsedAt: null,
    lastUsedFrom: null,
  });
  expect(await list(user)).toEqual([shown]);
  const row = await server.db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  expect(row.token_hash).toEqual(hashToken(token));
  expect(JSON.stringify(row)).not.toContain(token.slice(13));
});

it('a token acts for its owner by header alone, and is no session: neither a cookie nor one of the list', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read']);
  const answer = await server.call('getCurrentUser', { headers: bearer(made) });
  expect(answer).toMatchObject({ status: 200, body: { email: user.email } });
  expect(
    (await server.call('getCurrentUser', { headers: { cookie: `pult_session=${made.token}` } })).status,
  ).toBe(401);
  const sessions = (await server.call('listSessions', { as: user })).body as { id: string }[];
  expect(sessions.map(({ id }) => id)).not.toContain(made.id);
  await server.call('terminateSessions', { as: user, body: { sessions: [made.id] } });
  expect(await read(made)).toBe(200);
});

it('a token outlives the password and the sessions of its owner, as an SSH key does', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read']);
  const body = { oldPassword: user.password, newPassword: 'another horse 12' };
  expect((await server.call('changePassword', { as: user, body })).status).toBe(204);
  server.clock.advance(100 * 24 * 3600 * 1000);
  await server.server.jobs.find(({ name }) => name === 'delete-expired-sessions')?.run();
  expect(await read(made)).toBe(200);
});

it('a token ends at its time, is listed as over for a month, and then forgotten', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read'], { expiresAt: after(3600) });
  server.clock.advance(3600_000 - 1);
  expect(await read(made)).toBe(200);
  server.clock.advance(1);
  expect(await read(made)).toBe(401);
  const fresh = await server.call('login', { body: { username: user.email, password: user.password } });
  const as = { ...user, access: (fresh.body as { access: string }).access };
  const forget = () => server.server.jobs.find(({ name }) => name === 'delete-expired-sessions')?.run();
  await forget();
  expect(await list(as)).toMatchObject([{ id: made.id, isExpired: true }]);
  await server.db
    .updateTable('sessions')
    .set({ expires_at: new Date(server.clock.now().getTime() - 31 * 24 * 3600 * 1000) })
    .where('id', '=', made.id)
    .execute();
  await forget();
  expect(await list(as)).toEqual([]);
});

it('a token that is deleted is worth nothing at once, what it opened is looked at, and another’s cannot be deleted', async () => {
  const [user, stranger] = [await server.createUser(), await server.createUser()];
  const made = await addToken(server, user, ['controllers.read']);
  const params = { tokenId: made.id };
  const foreign = await server.call('deleteToken', { as: stranger, params });
  expect(foreign).toMatchObject({ status: 404, body: { code: 'token_not_found' } });
  expect(await list(stranger)).toEqual([]);
  const publish = vi.spyOn(Events.prototype, 'publish');
  expect((await server.call('deleteToken', { as: user, params })).status).toBe(204);
  expect(publish).toHaveBeenCalledWith('accessEnded', { sessionId: made.id });
  expect(await read(made)).toBe(401);
});

it('a wish that is wrong is refused by its field', async () => {
  const as = await server.createUser();
  const good = { name: 'Script', scopes: ['controllers.read'] };
  const wrong: [field: string, value: unknown][] = [
    ['name', ' '],
    ['scopes', []],
    ['scopes', ['controllers.everything']],
    ['scopes', ['controllers.read', 'toString']],
    ['expiresAt', after(0)],
    ['expiresAt', after(year + 2 * 24 * 3600)],
    ['expiresAt', 'tomorrow'],
    ['networks', ['10.0.0.0/33']],
    ['networks', ['10.0.0']],
    ['networks', ['example.com']],
    ['networks', ['fe80::1%eth0']],
    ['networks', Array.from({ length: limits.networksPerToken + 1 }, () => '10.0.0.1')],
  ];
  for (const [field, value] of wrong) {
    const { status, body } = await server.call('createToken', { as, body: { ...good, [field]: value } });
    expect([field, value, status, Object.keys(body as object)]).toEqual([field, value, 400, [field]]);
  }
  expect(await list(as)).toEqual([]);
});

it('a year, and no end at all, are ends that a token may have', async () => {
  const user = await server.createUser();
  expect((await addToken(server, user, ['controllers.read'], { expiresAt: after(year) })).expiresAt).toBe(
    after(year),
  );
  const endless = await addToken(server, user, ['controllers.read'], { expiresAt: null });
  expect(endless.expiresAt).toBeNull();
  server.clock.advance(10 * year * 1000);
  expect(await read(endless)).toBe(200);
});

it('a token makes another only with tokens.manage, and none that is stronger than itself', async () => {
  const user = await server.createUser();
  const end = after(3600);
  const maker = await addToken(server, user, ['tokens.manage', 'controllers.read'], {
    expiresAt: end,
    networks: ['127.0.0.0/8'],
  });
  const create = (body: object) =>
    server.call('createToken', {
      headers: bearer(maker),
      body: { name: 'Child', scopes: ['controllers.read'], expiresAt: end, networks: ['127.0.0.1'], ...body },
    });
  expect((await create({})).status).toBe(201);
  for (const stronger of [
    { scopes: ['controllers.read', 'tunnels.open'] },
    { expiresAt: null },
    { expiresAt: after(3601) },
    { networks: [] },
    { networks: ['0.0.0.0/0'] },
    { networks: ['127.0.0.1', '192.0.2.1'] },
  ]) {
    const answer = await create(stronger);
    expect([stronger, answer.status, answer.body]).toEqual([
      stronger,
      403,
      { code: 'token_forbidden', detail: expect.any(String) },
    ]);
  }
  const all = permissionNames.filter((name) => name !== 'tokens.manage');
  const headers = bearer(await addToken(server, user, all));
  for (const name of ['createToken', 'listTokens'] as const) {
    const body = name === 'createToken' ? { name: 'Child', scopes: ['controllers.read'] } : undefined;
    expect((await server.call(name, { headers, body })).body).toMatchObject({ code: 'token_forbidden' });
  }
});

it('a person with a second factor confirms a new token, and no deletion', async () => {
  const own = await enableTotp(server, await server.createUser());
  const headers = { cookie: own.cookie, origin: server.publicUrl };
  const body = { name: 'Script', scopes: ['controllers.read'] };
  const refused = await server.call('createToken', { headers, body });
  expect(refused).toMatchObject({ status: 403, body: { code: 'totp_required' } });
  await server.call('verifyTotp', { headers, body: { scope: 'add_token', code: own.code() } });
  const made = await server.call('createToken', { headers, body });
  expect(made.status).toBe(201);
  const params = { tokenId: (made.body as CreatedToken).id };
  expect((await server.call('deleteToken', { headers, params })).status).toBe(204);
});

it('the number of tokens is held exactly, also when many are made at once, and those that are over do not count', async () => {
  const user = await server.createUser();
  const createdAt = server.clock.now();
  const [address, user_agent] = ['', ''];
  const sessions = Array.from({ length: limits.tokensPerAccount - 1 }, (_, number) => ({
    id: crypto.randomUUID(),
    user_id: user.id,
    token_hash: hashToken(`${user.id} ${number}`),
    address,
    user_agent,
    created_at: createdAt,
    last_used_at: createdAt,
    expires_at: number === 0 ? createdAt : new Date(createdAt.getTime() + 1000),
    is_token: true,
  }));
  await server.db.insertInto('sessions').values(sessions).execute();
  const body = { name: 'Script', scopes: ['controllers.read'] };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => server.call('createToken', { as: user, body })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
});

it('the owner is told by mail of a token that was made and of one that was deleted, and the log names it', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read'], { name: 'Ночной скрипт' });
  await server.call('deleteToken', { as: user, params: { tokenId: made.id } });
  const mails = (await server.readMails()).filter(({ to }) => to === user.email);
  expect(mails.map(({ kind }) => kind)).toEqual(['token-created', 'token-deleted']);
  for (const { paragraphs, action } of mails) {
    expect(paragraphs.join('\n')).toContain('Ночной скрипт');
    expect(JSON.stringify(paragraphs)).not.toContain(made.token);
    expect(action?.url).toBe(`${server.publicUrl}/security`);
  }
  expect(mails[0]?.paragraphs.join('\n')).toContain('controllers.read');
  const events = await server.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('user_id', '=', user.id)
    .where('action', 'like', 'token.%')
    .orderBy('id')
    .execute();
  expect(events).toEqual([
    { action: 'token.created', details: { name: 'Ночной скрипт', scopes: 'controllers.read' } },
    { action: 'token.deleted', details: { name: 'Ночной скрипт' } },
  ]);
});
