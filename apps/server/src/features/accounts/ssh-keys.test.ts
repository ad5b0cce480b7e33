import { limits, type SshKey } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { enableTotp } from './totp-user.fixture.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());

const makePublicKey = () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).public;
const add = (publicKey: string, as = user, name = 'Laptop') =>
  server.call('addSshKey', { as, body: { name, publicKey } });
const list = async (as: TestUser) => (await server.call('listSshKeys', { as })).body as SshKey[];

it('adds a key, lists it without its comment, and deletes it', async () => {
  const own = await server.createUser();
  const publicKey = makePublicKey();
  const added = await add(`${publicKey} me@laptop`, own, '  Рабочий ноутбук ');
  expect(added).toMatchObject({
    status: 201,
    body: {
      name: 'Рабочий ноутбук',
      publicKey: publicKey.split(' ').slice(0, 2).join(' '),
      fingerprint: expect.stringMatching(/^SHA256:\S{43}$/),
      createdAt: server.clock.now().toISOString(),
      lastUsedAt: null,
    },
  });
  expect(await list(own)).toEqual([added.body]);
  const { id } = added.body as SshKey;
  expect((await server.call('deleteSshKey', { as: own, params: { keyId: id } })).status).toBe(204);
  expect(await list(own)).toEqual([]);
  const again = await server.call('deleteSshKey', { as: own, params: { keyId: id } });
  expect(again).toMatchObject({ status: 404, body: { code: 'ssh_key_not_found' } });
});

it('shows and deletes nobody else’s keys', async () => {
  const { id } = (await add(makePublicKey())).body as SshKey;
  const stranger = await server.createUser();
  expect(await list(stranger)).toEqual([]);
  const answer = await server.call('deleteSshKey', { as: stranger, params: { keyId: id } });
  expect(answer.status).toBe(404);
  expect((await list(user)).map((key) => key.id)).toContain(id);
});

it('what a key has opened is looked at again as soon as the key is deleted, and of nobody else', async () => {
  const own = await server.createUser();
  const { id } = (await add(makePublicKey(), own)).body as SshKey;
  const publish = vi.spyOn(Events.prototype, 'publish');
  await server.call('deleteSshKey', { as: user, params: { keyId: id } });
  expect(publish).not.toHaveBeenCalledWith('accessEnded', expect.anything());
  await server.call('deleteSshKey', { as: own, params: { keyId: id } });
  expect(publish).toHaveBeenCalledWith('accessEnded', { userId: own.id });
});

it('refuses a key that is registered, in the same words whether it is one’s own or another’s', async () => {
  const publicKey = makePublicKey();
  await add(publicKey);
  const own = await add(publicKey);
  const foreign = await add(publicKey, await server.createUser());
  expect(own).toMatchObject({ status: 400, body: { publicKey: [expect.stringContaining('added already')] } });
  expect(foreign.body).toEqual(own.body);
});

it('says what is wrong with a key, and that a private one was pasted', async () => {
  const answers = await Promise.all([add('hello'), add('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA')]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  expect(answers[1]?.body).toEqual({ publicKey: [expect.stringContaining('This is a private key')] });
});

it('tells the owner by mail of a key that was added and of one that was deleted', async () => {
  const own = await server.createUser();
  const { id, fingerprint } = (await add(makePublicKey(), own, 'Ноутбук')).body as SshKey;
  await server.call('deleteSshKey', { as: own, params: { keyId: id } });
  const mails = (await server.readMails()).filter(({ to }) => to === own.email);
  expect(mails.map(({ kind }) => kind)).toEqual(['ssh-key-added', 'ssh-key-deleted']);
  for (const { paragraphs, action } of mails) {
    expect(paragraphs.join('\n')).toContain(fingerprint);
    expect(paragraphs.join('\n')).toContain('Ноутбук');
    expect(action?.url).toBe(`${server.publicUrl}/security`);
  }
  const events = await server.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('user_id', '=', own.id)
    .where('action', 'like', 'ssh_key.%')
    .orderBy('id')
    .execute();
  const details = { name: 'Ноутбук', fingerprint };
  expect(events).toEqual([
    { action: 'ssh_key.added', details },
    { action: 'ssh_key.deleted', details },
  ]);
});

it('asks a user with a second factor to confirm an addition, and no deletion', async () => {
  const own = await enableTotp(server, await server.createUser());
  const publicKey = makePublicKey();
  const headers = { cookie: own.cookie, origin: server.publicUrl };
  const body = { name: 'Laptop', publicKey };
  const refused = await server.call('addSshKey', { headers, body });
  expect(refused).toMatchObject({ status: 403, body: { code: 'totp_required' } });
  await server.call('verifyTotp', { headers, body: { scope: 'add_ssh_key', code: own.code() } });
  const added = await server.call('addSshKey', { headers, body });
  expect(added.status).toBe(201);
  const params = { keyId: (added.body as SshKey).id };
  expect((await server.call('deleteSshKey', { headers, params })).status).toBe(204);
});

it('holds the number of keys exactly, also when many are added at once', async () => {
  const own = await server.createUser();
  const answers = await Promise.all(
    Array.from({ length: limits.sshKeysPerUser + 5 }, () => add(makePublicKey(), own)),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limits.sshKeysPerUser);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { body } of refused) expect(body).toMatchObject({ code: 'ssh_keys_limit_reached' });
  expect(await list(own)).toHaveLength(limits.sshKeysPerUser);
});

it('gives a key that many add at once to one of them', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => server.createUser()));
  const publicKey = makePublicKey();
  const answers = await Promise.all(users.map((each) => add(publicKey, each)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
});
