import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture({ timing: { sshHandshakeMs: 300 } });
});
afterAll(() => t[Symbol.asyncDispose]());

const audit = (action: string) =>
  t.fixture.server.db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', action)
    .orderBy('id')
    .execute();

const refused = { level: 'client-authentication' };

describe('lets in', () => {
  it('whoever has registered the key, under the account’s email in any case', async () => {
    const client = await t.logIn({ username: t.fixture.owner.email.toUpperCase() });
    client.end();
    const { email } = t.fixture.owner;
    (await t.logIn({ username: email.replace('@', '%40') })).end();
  });

  it('a login notes when its key was used', async () => {
    const key = await t.addKey();
    (await t.logIn({ key })).end();
    const { body } = await t.fixture.server.call('listSshKeys', { as: t.fixture.owner });
    const mine = (body as { id: string; lastUsedAt: string | null }[]).find(({ id }) => id === key.id);
    expect(mine?.lastUsedAt).toBe(t.fixture.server.clock.now().toISOString());
  });
});

describe('refuses', () => {
  it('a password, also the right one', async () => {
    const { email: username, password } = t.fixture.owner;
    await expect(connect({ port: t.port, username, password, tryKeyboard: true })).rejects.toMatchObject(
      refused,
    );
  });

  it('a key that nobody has registered', async () => {
    const { privateKey } = t.makeKey();
    const username = t.fixture.owner.email;
    await expect(connect({ port: t.port, username, privateKey })).rejects.toMatchObject(refused);
  });

  it('a registered key under another’s name, and tells its owner’s audit log', async () => {
    const key = await t.addKey();
    const other = await t.fixture.addUser('member');
    for (const username of [other.email, 'nobody@example.com', '', 'root']) {
      await expect(t.logIn({ key, username })).rejects.toMatchObject(refused);
    }
    const events = await audit('ssh_session.refused');
    expect(events).toHaveLength(4);
    expect(events[0]).toMatchObject({
      user_id: t.fixture.owner.id,
      subject: t.fixture.owner.email,
      address: '127.0.0.1',
      details: { reason: 'wrong_user', key: expect.stringMatching(/^SHA256:/) },
    });
  });
});

it('writes each session into the audit log: who, which controller, from where, by which key, how much', async () => {
  const client = await t.logIn();
  const channel = await openChannel(client, t.device.serialNumber);
  channel.end('12345');
  channel.resume();
  await once(channel, 'close');
  client.end();
  await expect.poll(() => audit('ssh_session.closed')).toHaveLength(1);
  const [opened] = await audit('ssh_session.opened');
  const [closed] = await audit('ssh_session.closed');
  const session = {
    user_id: t.fixture.owner.id,
    organization_id: t.fixture.organization,
    subject: t.device.serialNumber,
    address: '127.0.0.1',
  };
  const key = expect.stringMatching(/^SHA256:\S{43}$/);
  expect(opened).toMatchObject({ ...session, details: { key, keyName: 'Laptop' } });
  expect(closed).toMatchObject({
    ...session,
    details: { key, bytesIn: 5, bytesOut: 'hello 12345'.length, reason: 'closed' },
  });
});

it('tells a viewer that the role does not allow it, and the organization’s audit log of the attempt', async () => {
  const viewer = await t.fixture.addUser('viewer');
  const client = await t.logIn({ user: viewer });
  await expect(openChannel(client, t.device.serialNumber)).rejects.toThrow(/your role .* does not allow SSH/);
  const events = await audit('ssh_session.refused');
  expect(events.at(-1)).toMatchObject({
    user_id: viewer.id,
    organization_id: t.fixture.organization,
    subject: t.device.serialNumber,
    details: { reason: 'role_forbidden' },
  });
});

it('answers for a foreign controller as for one that does not exist', async () => {
  const stranger = await t.fixture.server.createUser();
  const client = await t.logIn({ user: stranger });
  const answers = [];
  for (const host of [t.device.serialNumber, 'JUMP-NONE']) {
    const error = await openChannel(client, host).catch((failure: Error) => failure);
    answers.push(String(error).replace(host, 'X'));
  }
  expect(answers[0]).toContain('controller X does not exist');
  expect(answers[1]).toBe(answers[0]);
});

it('says that a controller is offline', async () => {
  const device = await t.fixture.addDevice('JUMP-GONE', { endpoints: {} });
  const client = await t.logIn();
  await expect(openChannel(client, 'JUMP-GONE')).rejects.toThrow(
    /did not accept the connection: no ssh here/,
  );
  device.linked.link.close();
  const answer = () => openChannel(client, 'JUMP-GONE').catch((error: Error) => error.message);
  await expect.poll(answer).toContain('controller JUMP-GONE is offline');
});

it('waits neither for a greeting nor for a handshake that does not come', async () => {
  const silent = connectTcp(t.port, '127.0.0.1');
  const half = connectTcp(t.port, '127.0.0.1');
  half.write('SSH-2.0-half\r\n');
  for (const socket of [silent, half]) socket.resume();
  await Promise.all([once(silent, 'close'), once(half, 'close')]);
});

it('ends a connection that offers key after key', async () => {
  const authHandler = Array.from({ length: 30 }, () => ({
    type: 'publickey' as const,
    username: t.fixture.owner.email,
    key: t.makeKey().privateKey,
  }));
  let offered = 0;
  const counting = (_: unknown, __: unknown, next: (method: unknown) => void) => {
    next(authHandler[offered] ?? false);
    offered += 1;
  };
  const attempt = connect({
    port: t.port,
    username: t.fixture.owner.email,
    // Its type knows neither of these calls' values.
    authHandler: counting as never,
  });
  await expect(attempt).rejects.toThrow();
  expect(offered).toBeLessThanOrEqual(22);
});

it('turns a network away that fails again and again, before a handshake, and lets it in again later', async () => {
  await using fixture = await createJumpFixture();
  const key = await fixture.addKey();
  const { privateKey } = fixture.makeKey();
  const fail = () => connect({ port: fixture.port, username: 'x@example.com', privateKey }).catch(() => {});
  for (let round = 0; round < 12; round += 1) await Promise.all(Array.from({ length: 10 }, fail));
  const outcome = () =>
    fixture.logIn({ key }).then(
      (client) => {
        client.end();
        return 'in';
      },
      () => 'turned away',
    );
  // The last failure counts when its connection has closed.
  await expect.poll(outcome).toBe('turned away');
  fixture.fixture.server.clock.advance(10 * 60_000);
  expect(await outcome()).toBe('in');
});

it('believes the address that a trusted proxy sends before the client’s bytes, and nobody else’s', async () => {
  const throughProxy = async (fixture: JumpFixture) => {
    const sock = connectTcp(fixture.port, '127.0.0.1');
    sock.write('PROXY TCP4 203.0.113.7 127.0.0.1 40000 2222\r\n');
    const client = await fixture.logIn({ sock });
    const channel = await openChannel(client, fixture.device.serialNumber);
    channel.end();
    const event = await fixture.fixture.server.db
      .selectFrom('audit_events')
      .select('address')
      .where('action', '=', 'ssh_session.opened')
      .executeTakeFirstOrThrow();
    return event.address;
  };
  await using behind = await createJumpFixture({ environment: { TRUSTED_PROXIES: 'loopback' } });
  expect(await throughProxy(behind)).toBe('203.0.113.7');
  await using open = await createJumpFixture();
  await expect(throughProxy(open)).rejects.toThrow();
});
