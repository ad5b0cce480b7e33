import { once } from 'node:events';
import { type TerminalServerMessage, terminalPath } from '@pult/contract';
import { ServiceError } from '@pult/link';
import { WebSocketMessages } from '@pult/testkit';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type ClaimedDevice,
  createTunnelScene,
  startRawUpstream,
  type TunnelScene,
} from '../tunnel-scene.fixture.ts';
import { type SshDevice, type SshDeviceOptions, startSshDevice } from './ssh-device.fixture.ts';

let scene: TunnelScene;
let ssh: SshDevice;
let device: ClaimedDevice;
let count = 0;
const services = { ssh: 0 };

beforeAll(async () => {
  scene = await createTunnelScene();
});
afterAll(() => scene.close());
beforeEach(async () => {
  count += 1;
  ssh = await startSshDevice();
  services.ssh = ssh.port;
  device = await scene.addDevice(`SSH-${count}`, { services });
});
afterEach(() => ssh.close());

/** Another SSH server behind the same device. */
async function replaceSsh(options: SshDeviceOptions): Promise<void> {
  await ssh.close();
  ssh = await startSshDevice(options);
  services.ssh = ssh.port;
}

/** The types of ssh2 want rounds, too, which it has a default for. */
function keyPair(passphrase?: string) {
  return passphrase === undefined
    ? ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    : ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256, passphrase, cipher: 'aes256-cbc', rounds: 1 });
}

class Terminal {
  readonly messages: WebSocketMessages;
  output = Buffer.alloc(0);
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.messages = new WebSocketMessages(socket);
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next JSON message; terminal output before it is collected. */
  async next(): Promise<TerminalServerMessage> {
    for (;;) {
      const { data, isBinary } = await this.messages.next();
      if (!isBinary) return JSON.parse(String(data));
      this.output = Buffer.concat([this.output, data]);
    }
  }
}

const url = () => `ws://127.0.0.1:${scene.server.port}${terminalPath}`;

async function connect(headers: Record<string, string> = {}): Promise<Terminal> {
  const host = new URL(scene.server.publicUrl).host;
  const socket = new WebSocket(url(), {
    headers: { host, cookie: scene.owner.cookie, origin: scene.server.publicUrl, ...headers },
  });
  const terminal = new Terminal(socket);
  await once(socket, 'open');
  return terminal;
}

/** The status with which a connection is refused. */
async function refusal(headers: Record<string, string>): Promise<number | undefined> {
  const socket = new WebSocket(url(), { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  socket.terminate();
  return response.statusCode;
}

const password = (value: string) => ({ method: 'password', password: value });

async function start(overrides: Record<string, unknown> = {}): Promise<Terminal> {
  const terminal = await connect();
  const { key } = await scene.openTunnel(device, 'ssh');
  terminal.send({
    type: 'start',
    tunnelKey: key,
    username: 'root',
    credential: password('right'),
    columns: 80,
    rows: 24,
    ...overrides,
  });
  return terminal;
}

async function open(overrides: Record<string, unknown> = {}): Promise<Terminal> {
  const terminal = await start(overrides);
  expect(await terminal.next()).toMatchObject({ type: 'ready' });
  return terminal;
}

describe('logging in', () => {
  it('takes a password, and names the key that was pinned at the first login', async () => {
    const first = await start();
    const ready = { type: 'ready', hostKeyFingerprint: ssh.fingerprint };
    expect(await first.next()).toEqual({ ...ready, hostKeyIsNew: true });
    const second = await start();
    expect(await second.next()).toEqual({ ...ready, hostKeyIsNew: false });
  });

  it('takes a private key, with or without a passphrase', async () => {
    await replaceSsh({
      onAuthentication: (attempt) =>
        attempt.method === 'publickey' ? attempt.accept() : attempt.reject(['publickey']),
    });
    const plain = keyPair().private;
    await open({ credential: { method: 'private_key', privateKey: plain } });
    const locked = keyPair('open sesame').private;
    await open({ credential: { method: 'private_key', privateKey: locked, passphrase: 'open sesame' } });
  });

  it('refuses a wrong password', async () => {
    const terminal = await start({ credential: password('wrong') });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_authentication_failed' });
    await terminal.messages.closed;
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it.each([
    ['no key', 'this is no key', undefined],
    ['a public key', keyPair().public, undefined],
    ['a key without its passphrase', keyPair('x').private, undefined],
    ['a key with a wrong passphrase', keyPair('x').private, 'wrong'],
    ['half a key', keyPair().private.slice(0, 100), undefined],
  ])('refuses %s, and leaves no connection behind', async (_, privateKey, passphrase) => {
    const terminal = await start({
      credential: { method: 'private_key', privateKey, ...(passphrase ? { passphrase } : {}) },
    });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_private_key_invalid' });
    await terminal.messages.closed;
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it('asks what the device asks, and brings the answers', async () => {
    await replaceSsh({
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
    const terminal = await start();
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

  it('stops at a changed host key, shows both, and sends no secret', async () => {
    await open();
    const pinned = ssh.fingerprint;
    await replaceSsh({});
    const terminal = await start();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'host_key_changed',
      pinnedFingerprint: pinned,
      presentedFingerprint: ssh.fingerprint,
    });
    expect(ssh.attempts).toEqual([]);
  });
});

describe('a shell', () => {
  it('has the size asked for, and each later one', async () => {
    const terminal = await open({ columns: 100, rows: 30 });
    terminal.send({ type: 'resize', columns: 132, rows: 43 });
    await expect.poll(() => ssh.sizes).toEqual(['100x30', '132x43']);
  });

  it('gets a size that came while it was opening', async () => {
    const terminal = await start();
    terminal.send({ type: 'resize', columns: 90, rows: 20 });
    expect(await terminal.next()).toMatchObject({ type: 'ready' });
    await expect.poll(() => ssh.sizes.at(-1)).toBe('90x20');
  });

  it.each([
    ['its status', (channel: ssh2.ServerChannel) => channel.exit(7), { exitCode: 7, signal: null }],
    [
      'its signal',
      (channel: ssh2.ServerChannel) => channel.exit('TERM'),
      { exitCode: null, signal: 'SIGTERM' },
    ],
  ])('ends with %s, also when it ends at once', async (_, leave, end) => {
    await replaceSsh({
      onShell(channel) {
        leave(channel);
        channel.end('bye');
      },
    });
    const terminal = await open();
    expect(await terminal.next()).toEqual({ type: 'exit', ...end });
    expect(terminal.output.toString()).toBe('bye');
    expect((await terminal.messages.closed).code).toBe(1005);
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it('gets binary input in its order', async () => {
    const terminal = await open();
    let received = Buffer.alloc(0);
    ssh.channels[0]?.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    const pieces = Array.from({ length: 500 }, (_, index) => Buffer.from([index & 255, 0, 255, index >> 8]));
    for (const piece of pieces) terminal.socket.send(piece);
    await expect.poll(() => received.length).toBe(2_000);
    expect(received).toEqual(Buffer.concat(pieces));
  });

  it('that writes much to a slow browser is held back, and loses nothing', async () => {
    const size = 64 * 1024 * 1024;
    let written = 0;
    await replaceSsh({
      onShell(channel) {
        const chunk = Buffer.alloc(32 * 1024, 'x');
        const write = () => {
          while (written < size) {
            written += chunk.length;
            if (!channel.write(chunk)) return void channel.once('drain', write);
          }
          channel.exit(0);
          channel.end();
        };
        write();
      },
    });
    const terminal = await open();
    terminal.socket.pause();
    let seen = -1;
    const isSettled = () => {
      const settled = seen === written;
      seen = written;
      return settled;
    };
    await expect.poll(isSettled, { interval: 300, timeout: 20_000 }).toBe(true);
    expect(written).toBeLessThan(24 * 1024 * 1024);
    terminal.socket.resume();
    let bytes = 0;
    for (;;) {
      const { data, isBinary } = await terminal.messages.next();
      if (!isBinary) break;
      bytes += data.length;
    }
    expect(bytes).toBe(size);
  });

  it('that floods its error output is held back too', async () => {
    let written = 0;
    await replaceSsh({
      onShell(channel) {
        const chunk = Buffer.alloc(32 * 1024, 'e');
        const write = () => {
          while (written < 64 * 1024 * 1024) {
            written += chunk.length;
            if (!channel.stderr.write(chunk)) return void channel.stderr.once('drain', write);
          }
        };
        write();
      },
    });
    const terminal = await open();
    terminal.socket.pause();
    let seen = -1;
    const isSettled = () => {
      const settled = seen === written;
      seen = written;
      return settled;
    };
    await expect.poll(isSettled, { interval: 300, timeout: 20_000 }).toBe(true);
    expect(written).toBeLessThan(24 * 1024 * 1024);
    terminal.socket.terminate();
  });

  it('whose device is cut ends with a reason', async () => {
    const terminal = await open();
    device.linked.cut();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'ssh_failed',
      detail: 'The connection to the controller was lost.',
    });
    await terminal.messages.closed;
  });

  it('ends when the browser leaves, and both ends are in the audit log', async () => {
    const terminal = await open();
    terminal.socket.send('whoami\n');
    terminal.socket.send(Buffer.from('whoami\n'));
    terminal.socket.terminate();
    await expect.poll(() => device.linked.connections.size).toBe(0);
    const actions = async () => {
      const events = await scene.server.db
        .selectFrom('audit_events')
        .select('action')
        .where('subject', '=', device.serialNumber)
        .orderBy('id')
        .execute();
      return events.map(({ action }) => action).filter((action) => action.startsWith('terminal'));
    };
    await expect.poll(actions).toEqual(['terminal.opened', 'terminal.closed']);
  });

  it('survives input that comes as it ends', async () => {
    await replaceSsh({
      onShell(channel) {
        channel.once('data', () => {
          channel.exit(0);
          channel.end();
          channel.destroy();
        });
      },
    });
    const terminal = await open();
    for (let index = 0; index < 200; index += 1) terminal.socket.send(Buffer.from('x'));
    await terminal.messages.closed;
  });
});

describe('a terminal that cannot open', () => {
  it('says that the controller is offline', async () => {
    const terminal = await connect();
    const { key } = await scene.openTunnel(device, 'ssh');
    device.linked.link.close();
    await device.linked.link.closed;
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
    device.linked.link.close();
    await device.linked.link.closed;
    count += 1;
    device = await scene.addDevice(`SSH-${count}`, {
      handlers: {
        connectService: () =>
          Promise.reject(new ServiceError('service_refused', 'соединение отклонено '.repeat(9))),
      },
    });
    const terminal = await start();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'service_refused',
      detail: expect.stringContaining('соединение отклонено'),
    });
  });

  it('says that a server which is no SSH server failed', async () => {
    await replaceSsh({});
    const raw = await startRawUpstream((socket) => socket.end('220 smtp.example.com ready\r\n'));
    services.ssh = raw.port;
    const terminal = await start();
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'ssh_failed' });
    raw.close();
  });
});

describe('an entrance', () => {
  it('refuses a foreign page and whoever is not logged in', async () => {
    const host = new URL(scene.server.publicUrl).host;
    const { cookie } = scene.owner;
    expect(await refusal({ host, cookie, origin: device.origin })).toBe(400);
    expect(await refusal({ host, cookie, origin: 'null' })).toBe(400);
    expect(await refusal({ host, cookie })).toBe(400);
    expect(await refusal({ host, origin: scene.server.publicUrl })).toBe(401);
    expect(await refusal({ host, cookie: 'pult_session=guess', origin: scene.server.publicUrl })).toBe(401);
    expect(await refusal({ host, authorization: 'Bearer guess' })).toBe(401);
  });

  it('takes a ticket once, of its own session, for ssh alone', async () => {
    const { key } = await scene.openTunnel(device, 'ssh');
    await open({ tunnelKey: key });
    const web = await scene.openTunnel(device, 'http');
    const colleague = await scene.addUser('member');
    const foreign = await scene.openTunnel(device, 'ssh', colleague);
    for (const tunnelKey of [key, web.key, foreign.key, 'x', '0'.repeat(200)]) {
      const terminal = await start({ tunnelKey });
      expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
    }
    const late = await scene.openTunnel(device, 'ssh');
    scene.server.clock.advance(60_000);
    const terminal = await start({ tunnelKey: late.key });
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
    const terminal = await connect();
    send(terminal);
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'invalid_request' });
    await terminal.messages.closed;
  });

  it('refuses a second start, and ends the first', async () => {
    const terminal = await open();
    const { key } = await scene.openTunnel(device, 'ssh');
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
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it('cuts a message above 256 KB', async () => {
    const terminal = await open();
    terminal.socket.send(Buffer.alloc(300 * 1024));
    await terminal.messages.closed;
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });
});
