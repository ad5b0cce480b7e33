import { once } from 'node:events';
import { startIdentityProvider, startStopwatch } from '@pult/testkit';
import type { TestServer, TestUser } from '@pult/testkit/in-process';
import type { Client } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveSecondFactor } from '../../organizations/second-factor.fixture.ts';
import { setProvider } from '../../sign-in/sign-in.fixture.ts';
import { createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture({
    environment: { OIDC_PRIVATE: 'true' },
    timing: { tunnelCheckMs: undefined },
  });
});
afterAll(() => t[Symbol.asyncDispose]());

interface Live {
  user: TestUser;
  keyId: string;
  client: Client;
  /** Resolve when it has ended, to how long that took in milliseconds. */
  channelEnded: Promise<number>;
  clientEnded: Promise<number>;
}

async function openLive(role: 'member' | 'admin' = 'member'): Promise<Live> {
  const user = await t.fixture.addUser(role);
  const key = await t.addKey(user);
  const client = await t.logIn({ key, user });
  const channel = await openChannel(client, t.device.serialNumber);
  await once(channel, 'data');
  channel.resume();
  const elapsed = startStopwatch();
  const ended = (what: NodeJS.EventEmitter) => once(what, 'close').then(elapsed);
  return { user, keyId: key.id, client, channelEnded: ended(channel), clientEnded: ended(client) };
}

const call: TestServer['call'] = (name, options) => t.fixture.server.call(name, options);
const memberOf = ({ id }: TestUser) => ({ organizationId: t.fixture.organization, userId: id });

describe('cuts the whole connection within two seconds', () => {
  it.each<[string, (live: Live) => Promise<unknown>]>([
    ['when its key is deleted', ({ user, keyId }) => call('deleteSshKey', { as: user, params: { keyId } })],
    [
      'when the password is changed',
      ({ user }) =>
        call('changePassword', {
          as: user,
          body: { oldPassword: user.password, newPassword: 'another-horse-staple-3' },
        }),
    ],
    [
      'when the second factor changes, such as by a reset on the server',
      ({ user }) => giveSecondFactor(t.fixture.server, user),
    ],
  ])('%s', async (_, act) => {
    const live = await openLive();
    await act(live);
    expect(await live.clientEnded).toBeLessThan(2_000);
    expect(await live.channelEnded).toBeLessThan(2_000);
  });
});

describe('cuts the channels to a controller within two seconds, and leaves the connection', () => {
  it.each<[string, (live: Live) => Promise<unknown>]>([
    [
      'when its user is removed',
      ({ user }) => call('removeMember', { as: t.fixture.owner, params: memberOf(user) }),
    ],
    [
      'when the role no longer allows it',
      ({ user }) =>
        call('updateMember', { as: t.fixture.owner, params: memberOf(user), body: { role: 'viewer' } }),
    ],
  ])('%s', async (_, act) => {
    const live = await openLive();
    await act(live);
    expect(await live.channelEnded).toBeLessThan(2_000);
    await expect(openChannel(live.client, t.device.serialNumber)).rejects.toThrow(/does not/);
  });

  it('cuts the channels to a controller within two seconds, and leaves the connection when the organization begins to require a second factor that the user does not have', async () => {
    const live = await openLive();
    const setRequired = (totp_required: boolean) =>
      t.fixture.server.db
        .updateTable('organizations')
        .set({ totp_required })
        .where('id', '=', t.fixture.organization)
        .execute();
    await setRequired(true);
    expect(await live.channelEnded).toBeLessThan(2_000);
    const refused = openChannel(live.client, t.device.serialNumber);
    await expect(refused).rejects.toThrow(/requires a second factor; turn it on at http:\S+\/security/);
    await setRequired(false);
    live.client.end();
  });

  it('cuts the channels to a controller within two seconds, and opens none on that connection, when the organization begins to require a sign-in by its provider', async () => {
    await using peer = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'] });
    const live = await openLive();
    const { owner, organization: organizationId } = t.fixture;
    expect((await setProvider(t.fixture.server, owner, organizationId, peer)).status).toBe(200);
    const setRequired = (body: object) =>
      call('requireSignIn', { as: owner, params: { organizationId }, body });
    const required = await setRequired({ isRequired: true, breakGlassOwner: owner.id });
    expect(required.status).toBe(200);
    expect(await live.channelEnded).toBeLessThan(2_000);
    const before = t.received.length;
    const refused = openChannel(live.client, t.device.serialNumber);
    await expect(refused).rejects.toThrow(/requires a sign-in by its provider; sign in by it in a browser/);
    expect(t.received).toHaveLength(before);
    expect((await setRequired({ isRequired: false })).status).toBe(200);
    const channel = await openChannel(live.client, t.device.serialNumber);
    channel.destroy();
    live.client.end();
  });

  it('cuts the channels to a controller within two seconds, and leaves the connection when the controller is deleted', async () => {
    const live = await openLive();
    const endpoints = { ssh: 1 };
    const other = await t.fixture.addDevice('JUMP-DELETED', { endpoints });
    await expect(openChannel(live.client, other.serialNumber)).rejects.toThrow(
      /did not accept the connection/,
    );
    const answer = await call('deleteController', {
      as: t.fixture.owner,
      params: { serialNumber: t.device.serialNumber },
    });
    expect(answer.status).toBe(204);
    expect(await live.channelEnded).toBeLessThan(2_000);
  });
});

it('leaves a connection open when its user logs out of a browser: a key is not of a session', async () => {
  const user = await t.fixture.server.createUser();
  const client = await t.logIn({ user });
  await call('logout', { headers: { cookie: user.cookie, origin: t.fixture.server.publicUrl } });
  await expect(openChannel(client, 'JUMP-DELETED')).rejects.toThrow(/controller JUMP-DELETED does not exist/);
  client.end();
});
