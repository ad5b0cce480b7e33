import { once } from 'node:events';
import { terminalPath } from '@pult/contract';
import { createDeviceKey } from '@pult/link';
import { HttpClient } from '@pult/testkit';
import { createTestDevice, dialAsDevice, enrolTestDevice } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readRefusal } from './features/devices/native-link/link.fixture.ts';
import {
  connect,
  createJumpFixture,
  type JumpFixture,
  openChannel,
} from './features/tunnels/jump/jump.fixture.ts';
import type { TunnelFixture } from './features/tunnels/tunnel.fixture.ts';

let jump: JumpFixture;
let t: TunnelFixture;
let lines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
  jump = await createJumpFixture({ log });
  t = jump.fixture;
});
afterAll(() => jump[Symbol.asyncDispose]());
beforeEach(() => {
  lines = [];
});

const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const linesOf = (msg: string) => entries().filter((entry) => entry.msg === msg);
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 5_000 });

describe('the log says why', () => {
  it('a login was refused, and nothing of what was typed', async () => {
    const { email: username } = t.owner;
    await t.server.call('login', { body: { username, password: 'a-wrong-password' } });
    await t.server.call('login', { body: { username: 'nobody@example.com', password: 'another-wrong-one' } });
    expect(linesOf('request')).toMatchObject([
      { status: 401, code: 'invalid_credentials', reason: 'password_wrong', address: '127.0.0.1' },
      { status: 401, code: 'invalid_credentials', reason: 'account_unknown' },
    ]);
    expect(lines.join('')).not.toMatch(/wrong-password|wrong-one|@example/);
  });

  it('nobody was found for a call: without a login, and by one that is over', async () => {
    await t.server.call('getCurrentUser');
    await t.server.call('getCurrentUser', { headers: { authorization: `Bearer pult_pt_${'a'.repeat(43)}` } });
    expect(linesOf('request')).toMatchObject([
      { status: 401, code: 'not_authenticated', reason: 'no_credentials' },
      { status: 401, code: 'not_authenticated' },
    ]);
    expect(lines.join('')).not.toContain('aaaa');
  });

  it('a limit was reached, and which', async () => {
    const email = 'often@example.com';
    for (let index = 0; index < 6; index += 1)
      await t.server.call('requestPasswordReset', { body: { email } });
    expect(linesOf('request').at(-1)).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
      reason: 'password reset',
    });
  });

  it('a right was missing or is gone: who asked, and of which organization', async () => {
    const organizationId = t.organization;
    const grantId = globalThis.crypto.randomUUID();
    await t.server.call('deleteGrant', { as: t.owner, params: { organizationId, grantId } });
    const viewer = await t.addUser('viewer');
    await t.server.call('deleteGrant', { as: viewer, params: { organizationId, grantId } });
    expect(linesOf('request').filter(({ status }) => Number(status) >= 400)).toMatchObject([
      { code: 'grant_not_found', reason: 'unknown', user: t.owner.id, organization: organizationId },
      { code: 'role_forbidden', user: viewer.id, organization: organizationId },
    ]);
  });

  it('a device was refused its enrolment key, which is not written down', async () => {
    const device = createTestDevice('LINES-1');
    await enrolTestDevice(t.server, device, { headers: { 'pult-enrollment-key': 'nobodys-key' } });
    expect(linesOf('request').at(-1)).toMatchObject({
      status: 200,
      code: 'enrolment_key_unknown',
      reason: 'unknown',
    });
    await t.server.call('validateActivation', {
      as: t.owner,
      body: { token: 'AAAAAA-AAAAAA-AAAAAA-AAAAAA' },
    });
    expect(linesOf('request').at(-1)).toMatchObject({ code: 'activation_token_invalid', reason: 'unknown' });
    expect(lines.join('')).not.toMatch(/nobodys-key|AAAAAA/);
  });

  it('a link was refused', async () => {
    const device = createTestDevice('LINES-3');
    await readRefusal(dialAsDevice(t.server, device));
    await enrolTestDevice(t.server, device);
    await readRefusal(dialAsDevice(t.server, { ...device, privateKey: createDeviceKey() }));
    await readRefusal(dialAsDevice(t.server, device, { audience: 'http://other.example' }));
    const { serialNumber } = device;
    expect(linesOf('device link refused')).toMatchObject([
      { level: 20, serialNumber, code: 'device_unknown', address: '127.0.0.1' },
      // It was offered to prove itself anew.
      { level: 20, serialNumber, code: 'device_signature_invalid', reason: 'signature_wrong' },
      { level: 30, serialNumber, code: 'link_url_mismatch' },
    ]);
  });

  it('no tunnel was opened', async () => {
    const device = createTestDevice('LINES-2');
    await t.claim(device);
    const params = { serialNumber: device.serialNumber, protocol: 'http' };
    await t.server.call('openTunnel', { as: t.owner, params });
    expect(linesOf('request').at(-1)).toMatchObject({
      code: 'controller_offline',
      reason: 'not_linked',
      user: t.owner.id,
      organization: t.organization,
    });
  });

  it('no terminal was opened: without a login, and by a key that opens nothing', async () => {
    const open = (headers: Record<string, string>) =>
      new WebSocket(`ws://localhost:${t.server.port}${terminalPath}`, { headers });
    const stranger = open({});
    await once(stranger, 'error');
    const terminal = open({ authorization: `Bearer ${t.owner.access}` });
    await once(terminal, 'open');
    const size = { columns: 80, rows: 24 };
    const credential = { method: 'password', password: 'of-the-device' };
    const start = { type: 'start', tunnelKey: 'a-made-up-key', username: 'root', credential, ...size };
    terminal.send(JSON.stringify(start));
    await once(terminal, 'close');
    expect(linesOf('WebSocket refused')).toMatchObject([
      { path: terminalPath, code: 'not_authenticated', reason: 'no_credentials', address: '127.0.0.1' },
    ]);
    expect(linesOf('terminal refused')).toMatchObject([
      { user: t.owner.id, code: 'tunnel_ticket_invalid', reason: 'unknown', address: '127.0.0.1' },
    ]);
    expect(lines.join('')).not.toMatch(/made-up-key|of-the-device/);
  });

  it('a web interface was not shown, and a ticket not taken', async () => {
    const { origin } = jump.device;
    const { serialNumber } = jump.device;
    await new HttpClient().request(`${origin}/picture.png`);
    await new HttpClient().request(`${origin}/.pult/open?ticket=a-used-ticket`);
    await new HttpClient().request(`${origin.replace('jump-1', 'a--b')}/`);
    expect(linesOf('proxied request refused')).toMatchObject([
      { page: 'unauthorized', reason: 'no_cookie', serialNumber, status: 401, address: '127.0.0.1' },
      { page: 'ticket', serialNumber },
      { page: 'unknown' },
    ]);
    expect(lines.join('')).not.toContain('a-used-ticket');
  });

  it('the jump host let nobody in, or opened no channel', async () => {
    const { privateKey } = jump.makeKey();
    const username = t.owner.email;
    await connect({ port: jump.port, username, privateKey }).catch(() => undefined);
    await eventually(() => linesOf('SSH login refused')).toMatchObject([
      { address: '127.0.0.1', reason: 'key_unknown' },
    ]);
    const client = await jump.logIn();
    await openChannel(client, 'NO-SUCH-1').catch(() => undefined);
    client.end();
    await eventually(() => linesOf('SSH channel refused')).toMatchObject([
      { user: t.owner.id, serialNumber: 'NO-SUCH-1', code: 'controller_not_found' },
    ]);
    expect(linesOf('SSH login refused')).toHaveLength(1);
  });
});
