import { listReservedPorts } from '@pult/contract';
import { createTestDevice, enrolTestDevice, type TestUser, tokenOf } from '@pult/testkit/in-process';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import { createTunnelsRepository } from '../tunnels.repository.ts';
import { createTerminalFixture, password, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

/** The types of ssh2 want rounds, too, which it has a default for. */
function keyPair(passphrase?: string) {
  return passphrase === undefined
    ? ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, passphrase, cipher: 'aes256-cbc', rounds: 1 });
}

describe('logging in', () => {
  it('takes a password, and names the key that was pinned at the first login', async () => {
    const first = await t.start();
    const resumeToken = expect.stringMatching(/^[\w-]{43}$/);
    const ready = { type: 'ready', hostKeyFingerprint: t.ssh.fingerprint, resumeToken };
    expect(await first.next()).toEqual({ ...ready, hostKeyIsNew: true });
    const second = await t.start();
    expect(await second.next()).toEqual({ ...ready, hostKeyIsNew: false });
  });

  it('takes a private key, with or without a passphrase', async () => {
    await t.replaceSsh({
      onAuthentication: (attempt) =>
        attempt.method === 'publickey' ? attempt.accept() : attempt.reject(['publickey']),
    });
    const plain = keyPair().private;
    await t.open({ credential: { method: 'private_key', privateKey: plain } });
    const locked = keyPair('open sesame').private;
    await t.open({ credential: { method: 'private_key', privateKey: locked, passphrase: 'open sesame' } });
  });

  it('refuses a wrong password', async () => {
    const terminal = await t.start({ credential: password('wrong') });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });
    await terminal.messages.closed;
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });

  it.each([
    ['no key', 'this is no key', undefined],
    ['a public key', keyPair().public, undefined],
    ['a key without its passphrase', keyPair('x').private, undefined],
    ['a key with a wrong passphrase', keyPair('x').private, 'wrong'],
    ['half a key', keyPair().private.slice(0, 100), undefined],
  ])('refuses %s, and leaves no connection behind', async (_, privateKey, passphrase) => {
    const terminal = await t.start({
      credential: { method: 'private_key', privateKey, ...(passphrase ? { passphrase } : {}) },
    });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_private_key_invalid' });
    await terminal.messages.closed;
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });

  it('asks what the device asks, and brings the answers', async () => {
    await t.replaceSsh({
      onAuthentication(attempt) {
        if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive']);
        const questions = [
          { prompt: 'Token: ', echo: true },
          { prompt: 'PIN: ', echo: false },
        ];
        attempt.prompt(questions, 'Two questions', 'Answer both', (answers) => {
          if (answers.join() === '123456,42') attempt.accept();
          else attempt.reject();
        });
      },
    });
    const terminal = await t.start();
    expect(await terminal.next()).toEqual({
      type: 'prompt',
      title: 'Two questions',
      instructions: 'Answer both',
      prompts: [
        { text: 'Token: ', echo: true },
        { text: 'PIN: ', echo: false },
      ],
    });
    terminal.send({ type: 'answer', answers: ['123456', '42'] });
    expect(await terminal.next()).toMatchObject({ type: 'ready' });
  });

  it('asks what the device asks in lines, with a mark for what turns them', async () => {
    await t.replaceSsh({
      onAuthentication(attempt) {
        if (attempt.method !== 'keyboard-interactive') return attempt.reject(['keyboard-interactive']);
        attempt.prompt([{ prompt: 'Code\u202e:\t', echo: true }], 'A\u0007B', 'Two\r\nlines\u2067', () => {});
      },
    });
    expect(await (await t.start()).next()).toEqual({
      type: 'prompt',
      title: 'A\ufffdB',
      instructions: 'Two\nlines\ufffd',
      prompts: [{ text: 'Code\ufffd: ', echo: true }],
    });
  });

  it('pins the host key at the first login that succeeds: a mistyped password before it does not take the note away', async () => {
    const mistyped = await t.start({ credential: password('wrong') });
    expect(await mistyped.next()).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });
    const right = await t.start();
    expect(await right.next()).toMatchObject({ type: 'ready', hostKeyIsNew: true });
    const again = await t.start();
    expect(await again.next()).toMatchObject({ type: 'ready', hostKeyIsNew: false });
  });

  it('pins no host key of a device that was replaced during its login', async () => {
    const { server } = t.fixture;
    const { serialNumber } = t.device;
    const controllers = server.db.selectFrom('controllers').where('serial_number', '=', serialNumber);
    const before = await controllers.select(['id', 'enrolment_id']).executeTakeFirstOrThrow();
    const replacing = createTestDevice(serialNumber);
    const token = tokenOf(await enrolTestDevice(server, replacing));
    const present = await server.db
      .selectFrom('enrolments')
      .select('public_key')
      .where('id', '=', before.enrolment_id)
      .executeTakeFirstOrThrow();
    const body = { token, organization: t.fixture.organization, replace: fingerprintOf(present.public_key) };
    expect((await server.call('activateController', { as: t.fixture.owner, body })).status).toBe(200);
    const repository = createTunnelsRepository(server.db, {
      isTotpEnabled: false,
      reservedPorts: listReservedPorts(),
    });
    const access = { controllerId: before.id, enrolmentId: before.enrolment_id ?? '' };
    const late = await repository.pinHostKey(access, Buffer.from('the host key of the device before'));
    expect(late).toEqual({ pinned: Buffer.alloc(0), isNew: false });
    expect(await controllers.select('ssh_host_key').executeTakeFirst()).toEqual({ ssh_host_key: null });
  });

  it('tells one of many first logins at once that the host key is new', async () => {
    const terminals = await Promise.all(Array.from({ length: 5 }, () => t.start()));
    const messages = await Promise.all(terminals.map((terminal) => terminal.next()));
    const isNew = messages.map((message) => message.type === 'ready' && message.hostKeyIsNew);
    expect(isNew.sort()).toEqual([false, false, false, false, true]);
  });

  it('stops at a changed host key, shows both, and sends no secret', async () => {
    await t.open();
    const pinned = t.ssh.fingerprint;
    await t.replaceSsh({});
    const terminal = await t.start();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'host_key_changed',
      pinnedFingerprint: pinned,
      presentedFingerprint: t.ssh.fingerprint,
    });
    expect(t.ssh.attempts).toEqual([]);
  });

  it('takes the new host key once an admin has forgotten the old one, and the log says which it was', async () => {
    const { server, organization } = t.fixture;
    await t.open();
    const pinned = t.ssh.fingerprint;
    await t.replaceSsh({});
    const { serialNumber } = t.device;
    const forget = async (as: TestUser) =>
      (await server.call('forgetHostKey', { as, params: { serialNumber } })).status;
    expect(await forget(await t.fixture.addUser('member'))).toBe(403);
    expect(await (await t.start()).next()).toMatchObject({ code: 'host_key_changed' });
    const admin = await t.fixture.addUser('admin');
    expect(await forget(admin)).toBe(204);
    // There is none to forget now, and nothing to write down.
    expect(await forget(admin)).toBe(204);
    const ready = { type: 'ready', hostKeyFingerprint: t.ssh.fingerprint, hostKeyIsNew: true };
    expect(await (await t.start()).next()).toMatchObject(ready);
    const { body } = await server.call('listAuditEvents', {
      as: admin,
      params: { organizationId: organization },
      query: { action: 'host_key.forgotten', subject: serialNumber },
    });
    expect(body).toMatchObject({
      count: 1,
      results: [{ subject: serialNumber, details: { fingerprint: pinned }, count: 1 }],
    });
  });
});
