import { once } from 'node:events';
import type { Permission, SshKey } from '@pult/contract';
import { startStopwatch } from '@pult/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addToken, bearer } from '../../accounts/tokens/tokens.fixture.ts';
import { type ClientKey, createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

/** Keys that `pult ssh` makes for one connection. */

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture();
});
afterAll(() => t[Symbol.asyncDispose]());

const refused = { level: 'client-authentication' };
const certify = (headers: Record<string, string>, { publicKey }: ClientKey) =>
  t.fixture.server.call('certifySshKey', { headers, body: { publicKey } });

/** A member with a token, and a key that was certified by it. */
async function addProgram(scopes: Permission[] = ['tunnels.open'], name = 'Script') {
  const user = await t.fixture.addUser('member');
  const token = await addToken(t.fixture.server, user, scopes, { name });
  const key = t.makeKey();
  return { user, token, key, answer: await certify(bearer(token), key) };
}

async function openLive(user: Awaited<ReturnType<typeof addProgram>>['user'], key: ClientKey) {
  const client = await t.logIn({ key, user });
  const channel = await openChannel(client, t.device.serialNumber);
  await once(channel, 'data');
  channel.resume();
  return { client, ended: once(client, 'close') };
}

const forgetExpired = async () => {
  const job = t.fixture.server.server.jobs.find(({ name }) => name === 'delete-expired-sessions');
  await job?.run();
};

it('a key that a token has certified logs in and opens a controller, is nowhere listed, and the audit log names the token', async () => {
  const { user, key, answer } = await addProgram(undefined, 'Laptop of Ann');
  const expiresAt = new Date(t.fixture.server.clock.now().getTime() + 5 * 60_000).toISOString();
  expect(answer).toMatchObject({
    status: 201,
    body: { user: user.email, fingerprint: expect.stringMatching(/^SHA256:/), expiresAt },
  });
  const { client, ended } = await openLive(user, key);
  expect((await t.fixture.server.call('listSshKeys', { as: user })).body).toEqual([]);
  const { id } = await t.fixture.server.db
    .selectFrom('ssh_keys')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  const deleted = await t.fixture.server.call('deleteSshKey', { as: user, params: { keyId: id } });
  expect(deleted.body).toMatchObject({ code: 'ssh_key_not_found' });
  client.end();
  await ended;
  await expect
    .poll(async () => {
      const events = await t.fixture.server.db
        .selectFrom('audit_events')
        .select(['action', 'details'])
        .where('user_id', '=', user.id)
        .where('action', 'like', 'ssh_session.%')
        .orderBy('id')
        .execute();
      return events.map(({ action, details }) => [action, (details as { token?: string }).token]);
    })
    .toEqual([
      ['ssh_session.opened', 'Laptop of Ann'],
      ['ssh_session.closed', 'Laptop of Ann'],
    ]);
});

it('what such a key has opened ends within two seconds with its token, and with a session by its logout', async () => {
  const { user, token, key } = await addProgram();
  const live = await openLive(user, key);
  const elapsed = startStopwatch();
  await t.fixture.server.call('deleteToken', { as: user, params: { tokenId: token.id } });
  await live.ended;
  expect(elapsed()).toBeLessThan(2_000);
  await expect(t.logIn({ key, user })).rejects.toMatchObject(refused);

  const own = t.makeKey();
  const headers = { authorization: `Bearer ${user.access}` };
  expect((await certify(headers, own)).status).toBe(201);
  const byHand = await openLive(user, own);
  const { server } = t.fixture;
  await server.call('logout', { headers: { cookie: user.cookie, origin: server.publicUrl } });
  await byHand.ended;
  await expect(t.logIn({ key: own, user })).rejects.toMatchObject(refused);
});

it('such a key logs in no more after five minutes, and what it has opened goes on for as long as its token', async () => {
  const { user, token, key } = await addProgram();
  const live = await openLive(user, key);
  let isOver = false;
  void live.ended.then(() => {
    isOver = true;
  });
  t.fixture.server.clock.advance(5 * 60_000);
  await expect(t.logIn({ key, user })).rejects.toMatchObject(refused);
  await forgetExpired();
  const left = await t.fixture.server.db
    .selectFrom('ssh_keys')
    .select('id')
    .where('user_id', '=', user.id)
    .execute();
  expect(left).toEqual([]);
  // A look at what is open, which a deletion elsewhere asks for.
  const other = await addProgram();
  await openLive(other.user, other.key).then(async (second) => {
    await t.fixture.server.call('deleteToken', { as: other.user, params: { tokenId: other.token.id } });
    await second.ended;
  });
  expect(isOver).toBe(false);
  await t.fixture.server.call('deleteToken', { as: user, params: { tokenId: token.id } });
  await live.ended;
});

it('a token certifies keys with the scope tunnels.open alone, for a user whose role allows it, and from its networks alone', async () => {
  const weak = await addProgram(['controllers.read']);
  expect(weak.answer).toMatchObject({ status: 403, body: { code: 'token_forbidden' } });

  const viewer = await t.fixture.addUser('viewer');
  const key = t.makeKey();
  await certify(bearer(await addToken(t.fixture.server, viewer, ['tunnels.open'])), key);
  const client = await t.logIn({ key, user: viewer });
  await expect(openChannel(client, t.device.serialNumber)).rejects.toThrow(/does not/);

  const { user } = await addProgram();
  const networks = ['203.0.113.0/24'];
  const bound = await addToken(t.fixture.server, user, ['tunnels.open'], { networks });
  const elsewhere = t.makeKey();
  const answer = await t.fixture.server.request('POST', '/api/v1/auth/ssh-certificates/', {
    headers: { ...bearer(bound), 'content-type': 'application/json' },
    payload: JSON.stringify({ publicKey: elsewhere.publicKey }),
    remoteAddress: '203.0.113.9',
  });
  expect(answer.status).toBe(201);
  await expect(t.logIn({ key: elsewhere, user })).rejects.toMatchObject(refused);
});

it('a key that is taken is not certified, and one that has counted its minutes may be registered', async () => {
  const other = await t.addKey();
  const { user, token, key } = await addProgram();
  const taken = { status: 400, body: { publicKey: [expect.any(String)] } };
  expect(await certify(bearer(token), other)).toMatchObject(taken);
  const register = () =>
    t.fixture.server.call('addSshKey', { as: user, body: { name: 'Laptop', publicKey: key.publicKey } });
  expect(await register()).toMatchObject(taken);
  expect(await certify(bearer(token), { ...key, publicKey: 'nonsense' })).toMatchObject(taken);
  t.fixture.server.clock.advance(5 * 60_000);
  expect((await register()).status).toBe(201);
  const { body } = await t.fixture.server.call('listSshKeys', { as: user });
  expect(body as SshKey[]).toHaveLength(1);
});
