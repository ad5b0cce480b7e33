import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { TestUser } from '@pult/testkit/in-process';
import type { ServerChannel } from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createTerminalFixture, type Terminal, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

/** As a network does it: without a word. */
async function lose({ socket }: Terminal): Promise<void> {
  socket.terminate();
  await once(socket, 'close');
}

/** The same person on another device. */
async function logInAgain(user: TestUser): Promise<TestUser> {
  const body = { username: user.email, password: user.password };
  const { headers } = await t.fixture.server.call('login', { body });
  return { ...user, cookie: String([headers['set-cookie']].flat()[0]).split(';')[0] ?? '' };
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
const connections = () => t.device.linked.connections.size;

/** Takes a shell's whole output over connections that break again and again, and draws what it takes. */
async function collect(first: Terminal, size: number, breakAfter: () => number): Promise<Buffer> {
  const whole: Buffer[] = [];
  let terminal = first;
  let lostAt = breakAfter();
  let arrived = 0;
  let total = 0;
  while (total < size) {
    terminal.isAcking = false;
    const { data, isBinary } = await terminal.messages.next();
    if (!isBinary) continue;
    whole.push(data);
    total += data.length;
    arrived += data.length;
    terminal.send({ type: 'ackOutput', position: total });
    if (arrived < lostAt || total === size) continue;
    await lose(terminal);
    // What arrived unread is lost with the connection: the page asks for what follows what it has.
    terminal = await t.resume({ resumeToken: first.resumeToken, received: total });
    arrived = 0;
    lostAt = breakAfter();
  }
  terminal.socket.close();
  return Buffer.concat(whole);
}

describe('a terminal whose connection is lost', () => {
  it('goes on at the very byte, however often it is lost in mid-output', async () => {
    const content = randomBytes(4 * 1024 * 1024);
    await t.replaceSsh({ onShell: (channel) => void channel.write(content) });
    const random = () => 50_000 + Math.floor(Math.random() * 400_000);
    const whole = await collect(await t.open(), content.length, random);
    expect(sha256(whole)).toBe(sha256(content));
  });

  it('a terminal whose connection is lost has its input neither lost nor doubled', async () => {
    const content = randomBytes(1024 * 1024);
    let received = Buffer.alloc(0);
    await t.replaceSsh({
      onShell: (channel) =>
        channel.on('data', (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
        }),
    });
    let terminal = await t.open();
    let position = 0;
    const send = (socket: WebSocket, until: number) => {
      for (; position < until; position += 1024) socket.send(content.subarray(position, position + 1024));
    };
    for (let part = 1; part <= 10; part += 1) {
      send(terminal.socket, Math.floor((content.length * part) / 10));
      if (part < 10) await lose(terminal);
      if (part === 10) break;
      terminal = await t.resume(terminal);
      const message = await terminal.next();
      if (message.type !== 'resumed') throw new Error(`not resumed: ${JSON.stringify(message)}`);
      position = message.received;
    }
    await expect.poll(() => received.length).toBe(content.length);
    expect(sha256(received)).toBe(sha256(content));
  });

  it('holds the shell back while nobody reads, and goes on with all it wrote', async () => {
    const size = 16 * 1024 * 1024;
    let written = 0;
    await t.replaceSsh({
      onShell(channel) {
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const write = () => {
          while (written < size) {
            written += chunk.length;
            if (!channel.write(chunk)) return void channel.once('drain', write);
          }
          channel.exit(0);
          channel.end();
        };
        channel.once('data', write);
      },
    });
    const terminal = await t.open();
    terminal.isAcking = false;
    terminal.socket.send(Buffer.from('go'));
    await once(terminal.socket, 'message');
    await lose(terminal);
    let seen = -1;
    const isSettled = () => {
      const settled = seen === written;
      seen = written;
      return settled;
    };
    await expect.poll(isSettled, { interval: 200 }).toBe(true);
    expect(written).toBeLessThan(8 * 1024 * 1024);
    const back = await t.resume({ resumeToken: terminal.resumeToken, received: terminal.received });
    const rest = await t.countUntilExit(back);
    expect(terminal.received + rest).toBe(size);
  });

  it('learns after it how the shell ended meanwhile', async () => {
    const terminal = await t.open();
    await lose(terminal);
    const [channel] = t.ssh.channels;
    channel?.write('last words');
    channel?.exit(5);
    channel?.end();
    await expect.poll(connections).toBe(0);
    const back = await t.resume(terminal);
    expect(await back.next()).toEqual({ type: 'resumed', received: 0 });
    expect(await back.next()).toEqual({ type: 'exit', exitCode: 5, signal: null });
    expect(back.output.toString()).toBe('last words');
  });

  it('a terminal whose connection is lost has the size of the page that continues it, and follows it', async () => {
    const terminal = await t.open();
    await lose(terminal);
    const back = await t.connect();
    back.send({ type: 'resume', resumeToken: terminal.resumeToken, received: 0, columns: 61, rows: 17 });
    expect(await back.next()).toMatchObject({ type: 'resumed' });
    back.send({ type: 'resize', columns: 62, rows: 18 });
    await expect.poll(() => t.ssh.sizes).toEqual(['80x24', '61x17', '62x18']);
  });

  it('ends at once when its page said goodbye', async () => {
    const terminal = await t.open();
    terminal.send({ type: 'end' });
    await terminal.messages.closed;
    await expect.poll(connections).toBe(0);
    const back = await t.resume(terminal);
    expect(await back.next()).toMatchObject({ type: 'failed', code: 'session_gone' });
  });
});

describe('a shell that waits', () => {
  it('a shell that waits is for nobody but the login that opened it', async () => {
    const terminal = await t.open();
    await lose(terminal);
    const colleague = await t.fixture.addUser('admin');
    const again = await logInAgain(t.fixture.owner);
    for (const as of [colleague, again]) {
      const thief = await t.resume(terminal, as);
      expect(await thief.next()).toMatchObject({ type: 'failed', code: 'session_gone' });
    }
    const guess = await t.resume({ resumeToken: 'guess', received: 0 });
    expect(await guess.next()).toMatchObject({ type: 'failed', code: 'session_gone' });
    const back = await t.resume(terminal);
    expect(await back.next()).toMatchObject({ type: 'resumed' });
  });

  it('gives nothing that was drawn before or that was never written', async () => {
    const terminal = await t.open();
    t.ssh.channels[0]?.write('0123456789');
    await expect.poll(() => terminal.received).toBe(10);
    // Answered in their order: the confirmation has arrived.
    terminal.socket.send(Buffer.from('x'));
    await expect.poll(() => terminal.messages.next().then(({ data }) => String(data))).toContain('ackInput');
    await lose(terminal);
    for (const received of [0, 9, 11]) {
      const { resumeToken } = terminal;
      const back = await t.resume({ resumeToken, received });
      expect(await back.next()).toMatchObject({ type: 'failed', code: 'session_gone' });
    }
    expect(await (await t.resume(terminal)).next()).toMatchObject({ type: 'resumed' });
  });

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['logs out', (user) => t.fixture.server.call('logout', { as: user })],
    [
      'becomes a viewer',
      (user) =>
        t.fixture.server.call('updateMember', {
          as: t.fixture.owner,
          params: { organizationId: t.fixture.organization, userId: user.id },
          body: { role: 'viewer' },
        }),
    ],
    [
      'loses the controller',
      () => {
        const params = { serialNumber: t.device.serialNumber };
        return t.fixture.server.call('deleteController', { as: t.fixture.owner, params });
      },
    ],
  ])('ends at once when its user %s', async (_, end) => {
    const user = await t.fixture.addUser('member');
    const terminal = await t.open({}, user);
    await lose(terminal);
    expect(connections()).toBe(1);
    await end(user);
    await expect.poll(connections).toBe(0);
  });

  it('goes to the newer connection, and the older one is told', async () => {
    const older = await t.open();
    const newer = await t.resume(older);
    expect(await newer.next()).toMatchObject({ type: 'resumed' });
    expect(await older.next()).toMatchObject({ type: 'failed', code: 'taken_over', detail: /./ });
    older.socket.send(Buffer.from('from the older one'));
    let received = '';
    const listen = (channel: ServerChannel | undefined) =>
      channel?.on('data', (chunk: Buffer) => {
        received += chunk;
      });
    listen(t.ssh.channels[0]);
    newer.socket.send(Buffer.from('from the newer one'));
    await expect.poll(() => received).toBe('from the newer one');
    await older.messages.closed;
    expect(connections()).toBe(1);
  });

  it('a shell that waits has one owner, however many connections ask at once', async () => {
    const terminal = await t.open();
    await lose(terminal);
    const rivals = await Promise.all(Array.from({ length: 8 }, () => t.resume(terminal)));
    const told = await Promise.all(rivals.map((rival) => rival.next()));
    expect(told.every(({ type }) => type === 'resumed')).toBe(true);
    t.ssh.channels[0]?.write('for one');
    const heard = () => rivals.filter(({ received }) => received > 0).length;
    await expect.poll(heard).toBe(1);
    await Promise.all(rivals.filter(({ received }) => received === 0).map(({ messages }) => messages.closed));
    expect(heard()).toBe(1);
  });
});
