import { ServiceError } from '@pult/link';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRawUpstream } from '../tunnel.fixture.ts';
import { createTerminalFixture, password, type Terminal, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

describe('a terminal that cannot open', () => {
  it('says that the controller is offline', async () => {
    const terminal = await t.connect();
    const { key } = await t.fixture.openTunnel(t.device, 'ssh');
    t.device.linked.link.close();
    await t.device.linked.link.closed;
    terminal.send({
      type: 'start',
      tunnelKey: key,
      username: 'root',
      credential: password('right'),
      columns: 80,
      rows: 24,
    });
    const message = await terminal.next();
    // In the moment of the loss the link itself may say it.
    expect(['controller_offline', 'ssh_failed']).toContain('code' in message ? message.code : undefined);
  });

  it('says that the SSH server refused, in the device’s own words', async () => {
    t.device.linked.link.close();
    await t.device.linked.link.closed;
    t.device = await t.fixture.addDevice(t.nextSerialNumber(), {
      handlers: {
        connectService: () =>
          Promise.reject(new ServiceError('service_refused', 'соединение отклонено '.repeat(9))),
      },
    });
    const terminal = await t.start();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'service_refused',
      detail: expect.stringContaining('соединение отклонено'),
      reason: expect.stringMatching(/^соединение отклонено/),
    });
  });

  it('says that a server which is no SSH server failed', async () => {
    await t.replaceSsh({});
    const raw = await startRawUpstream((socket) => socket.end('220 smtp.example.com ready\r\n'));
    t.endpoints.ssh = raw.port;
    const terminal = await t.start();
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_failed' });
    raw.close();
  });
});

describe('an upgrade handler', () => {
  it('refuses a foreign page and whoever is not logged in', async () => {
    const host = new URL(t.fixture.server.publicUrl).host;
    const { cookie } = t.fixture.owner;
    expect(await t.refusal({ host, cookie, origin: t.device.origin })).toBe(400);
    expect(await t.refusal({ host, cookie, origin: 'null' })).toBe(400);
    expect(await t.refusal({ host, cookie })).toBe(400);
    expect(await t.refusal({ host, origin: t.fixture.server.publicUrl })).toBe(401);
    expect(await t.refusal({ host, cookie: 'pult_session=guess', origin: t.fixture.server.publicUrl })).toBe(
      401,
    );
    expect(await t.refusal({ host, authorization: 'Bearer guess' })).toBe(401);
  });

  it('takes a ticket once, of its own session, for ssh alone', async () => {
    const { key } = await t.fixture.openTunnel(t.device, 'ssh');
    await t.open({ tunnelKey: key });
    const web = await t.fixture.openTunnel(t.device, 'http');
    const colleague = await t.fixture.addUser('member');
    const foreign = await t.fixture.openTunnel(t.device, 'ssh', colleague);
    for (const tunnelKey of [key, web.key, foreign.key, 'x', '0'.repeat(200)]) {
      const terminal = await t.start({ tunnelKey });
      expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
    }
    const late = await t.fixture.openTunnel(t.device, 'ssh');
    t.fixture.server.clock.advance(60_000);
    const terminal = await t.start({ tunnelKey: late.key });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
  });

  it.each<[string, (terminal: Terminal) => void]>([
    ['text that is no JSON', ({ socket }) => socket.send('hello')],
    ['an unknown type', (terminal) => terminal.send({ type: 'sudo' })],
    ['an array', (terminal) => terminal.send([])],
    ['null', (terminal) => terminal.send(null)],
    ['a resize before the start', (terminal) => terminal.send({ type: 'resize', columns: 1, rows: 1 })],
    ['an answer before the start', (terminal) => terminal.send({ type: 'answer', answers: [] })],
    ['input before the start', ({ socket }) => socket.send(Buffer.from('rm -rf /\n'))],
    [
      'a start with an unknown field',
      (terminal) =>
        terminal.send({
          type: 'start',
          tunnelKey: 'x',
          username: 'root',
          credential: password('x'),
          columns: 80,
          rows: 24,
          command: 'reboot',
        }),
    ],
  ])('refuses %s', async (_, send) => {
    const terminal = await t.connect();
    send(terminal);
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'invalid_request' });
    await terminal.messages.closed;
  });

  // spec: 7.03
  it('spec 7: a terminal speaks the language that the console has stored in the browser', async () => {
    const { owner } = t.fixture;
    for (const [locale, letters] of [
      ['ru', /^[А-Я]/],
      ['en', /^[A-Z]/],
    ] as const) {
      const browser = { ...owner, cookie: `${owner.cookie}; pult_locale=${locale}` };
      const terminal = await t.start({ tunnelKey: 'x' }, browser);
      expect(await terminal.next()).toMatchObject({
        code: 'tunnel_ticket_invalid',
        detail: expect.stringMatching(letters),
      });
    }
  });

  it('refuses a second start, and ends the first', async () => {
    const terminal = await t.open();
    const { key } = await t.fixture.openTunnel(t.device, 'ssh');
    terminal.send({
      type: 'start',
      tunnelKey: key,
      username: 'root',
      credential: password('right'),
      columns: 80,
      rows: 24,
    });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'invalid_request' });
    await terminal.messages.closed;
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });

  it('cuts a message above 256 KB', async () => {
    const terminal = await t.open();
    terminal.socket.send(Buffer.alloc(300 * 1024));
    await terminal.messages.closed;
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });
});
