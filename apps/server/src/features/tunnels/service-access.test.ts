import { once } from 'node:events';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { startStopwatch, WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createServiceAccount, grantService } from '../service-accounts/service-accounts.fixture.ts';
import { createJumpFixture, type JumpFixture, openChannel } from './jump/jump.fixture.ts';

/** What programs open by a service account's tokens and keys, with the timing of a real server. */

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture({ timing: { tunnelCheckMs: undefined } });
});
afterAll(() => t[Symbol.asyncDispose]());

const call: JumpFixture['fixture']['server']['call'] = (name, options) =>
  t.fixture.server.call(name, options);

async function addAccount(name?: string) {
  const { server, organization: organizationId, owner } = t.fixture;
  const account = await createServiceAccount(server, owner, organizationId, name);
  const grantId = await grantService(server, account.id, { organizationId, role: 'member' });
  return { ...account, grantId };
}
type Account = Awaited<ReturnType<typeof addAccount>>;

const endAccount = (account: Account) =>
  call('deleteServiceAccount', { as: t.fixture.owner, params: account.params });
const endGrant = ({ grantId, params: { organizationId } }: Account) =>
  call('deleteGrant', { as: t.fixture.owner, params: { organizationId, grantId } });

async function openStream(account: Account, expiresAt?: string) {
  const { id, token } = await account.addToken(
    ['tunnels.open'],
    expiresAt === undefined ? {} : { expiresAt },
  );
  const headers = { authorization: `Bearer ${token}` };
  const params = { serialNumber: t.device.serialNumber, protocol: 'ssh' };
  const opened = await call('openTunnel', { headers, params });
  expect(opened.status).toBe(200);
  const { tunnelKey: key } = opened.body as { tunnelKey: string };
  const socket = new WebSocket(`ws://127.0.0.1:${t.fixture.server.port}${sshStreamPath}`, {
    headers: { ...headers, [tunnelKeyHeader]: key },
  });
  const messages = new WebSocketMessages(socket);
  await once(socket, 'open');
  return { tokenId: id, messages };
}

describe('a stream that a service account has opened is cut within 2 s', () => {
  it.each<[string, (account: Account, tokenId: string) => Promise<unknown>]>([
    [
      'when its token is deleted',
      ({ params }, tokenId) =>
        call('deleteServiceAccountToken', { as: t.fixture.owner, params: { ...params, tokenId } }),
    ],
    ['when the account is deleted', endAccount],
    ['when its right ends', endGrant],
    [
      'when its right ends by its time, which no event tells',
      ({ grantId }) =>
        t.fixture.server.db
          .updateTable('grants')
          .set({ ends_at: new Date(0) })
          .where('id', '=', grantId)
          .execute(),
    ],
  ])('%s', async (_, end) => {
    const account = await addAccount();
    const { tokenId, messages } = await openStream(account);
    expect(String((await messages.next()).data)).toBe('hello ');
    const elapsed = startStopwatch();
    await end(account, tokenId);
    await messages.closed;
    expect(elapsed()).toBeLessThan(2_000);
  });
});

describe('an SSH key of a service account', () => {
  it('opens what its rights reach at the jump host, under its name, and nothing else', async () => {
    const account = await addAccount('Backup');
    const key = t.makeKey();
    await account.addKey(key.publicKey);
    const user = { ...t.fixture.owner, email: 'backup' };
    const client = await t.logIn({ key, user });
    const channel = await openChannel(client, t.device.serialNumber);
    expect(String((await once(channel, 'data'))[0])).toBe('hello ');
    const wrong = { ...t.fixture.owner };
    await expect(t.logIn({ key, user: wrong })).rejects.toMatchObject({
      level: 'client-authentication',
    });
    const { db } = t.fixture.server;
    const rows = db
      .selectFrom('audit_events')
      .innerJoin('users', 'users.id', 'audit_events.user_id')
      .select(['users.email', 'audit_events.subject'])
      .where('action', '=', 'ssh_session.opened')
      .where('users.kind', '=', 'service');
    expect(await rows.execute()).toEqual([{ email: 'Backup', subject: t.device.serialNumber }]);
    const listed = await call('listServiceAccountKeys', { as: t.fixture.owner, params: account.params });
    expect(listed.body).toMatchObject([{ name: 'Runner', lastUsedAt: expect.any(String) }]);

    await endGrant(account);
    await once(channel, 'close');
    await expect(openChannel(client, t.device.serialNumber)).rejects.toThrow(/does not exist/);
  });

  it('works where the organization requires a second factor of people', async () => {
    const account = await addAccount();
    const key = t.makeKey();
    await account.addKey(key.publicKey);
    const { server, organization } = t.fixture;
    const require = (totp_required: boolean) =>
      server.db.updateTable('organizations').set({ totp_required }).where('id', '=', organization).execute();
    await require(true);
    const client = await t.logIn({
      key,
      user: { ...t.fixture.owner, email: account.name },
    });
    const channel = await openChannel(client, t.device.serialNumber);
    expect(String((await once(channel, 'data'))[0])).toBe('hello ');
    await require(false);
  });

  it.each<[string, (account: Account, keyId: string) => Promise<unknown>]>([
    [
      'is deleted',
      ({ params }, keyId) =>
        call('deleteServiceAccountKey', { as: t.fixture.owner, params: { ...params, keyId } }),
    ],
    ['belongs to an account that is deleted', endAccount],
  ])('ends its connection within 2 s when it %s', async (_, end) => {
    const account = await addAccount();
    const key = t.makeKey();
    const { id } = await account.addKey(key.publicKey);
    const user = { ...t.fixture.owner, email: account.name };
    const client = await t.logIn({ key, user });
    const elapsed = startStopwatch();
    const closed = once(client, 'close');
    await end(account, id);
    await closed;
    expect(elapsed()).toBeLessThan(2_000);
    await expect(t.logIn({ key, user })).rejects.toMatchObject({
      level: 'client-authentication',
    });
  });
});
