import { createRequire } from 'node:module';
import { terminalWindows } from '@pult/contract';
import type ssh2 from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTerminalFixture, type Terminal, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(() => t.reset());

/** Two looks in a row see the same. */
async function expectSettled(measure: () => number): Promise<void> {
  let seen = -1;
  const isSettled = () => {
    const settled = seen === measure() && seen > 0;
    seen = measure();
    return settled;
  };
  await expect.poll(isSettled, { interval: 300, timeout: 20_000 }).toBe(true);
}

describe('a shell', () => {
  it('a shell has the size asked for, and each later one', async () => {
    const terminal = await t.open({ columns: 100, rows: 30 });
    terminal.send({ type: 'resize', columns: 132, rows: 43 });
    await expect.poll(() => t.ssh.sizes).toEqual(['100x30', '132x43']);
  });

  it('gets a size that came while it was opening', async () => {
    const terminal = await t.start();
    terminal.send({ type: 'resize', columns: 90, rows: 20 });
    expect(await terminal.next()).toMatchObject({ type: 'ready' });
    await expect.poll(() => t.ssh.sizes.at(-1)).toBe('90x20');
  });

  it.each([
    ['its status', (channel: ssh2.ServerChannel) => channel.exit(7), { exitCode: 7, signal: null }],
    [
      'its signal',
      (channel: ssh2.ServerChannel) => channel.exit('TERM'),
      { exitCode: null, signal: 'SIGTERM' },
    ],
    [
      'a signal that turns its text',
      (channel: ssh2.ServerChannel) => {
        // Of ssh2, which sends no others than these; devices do.
        createRequire(import.meta.url)('ssh2/lib/protocol/constants.js').SIGNALS['LIVE\u202eEVIL'] = 1;
        channel.exit('LIVE\u202eEVIL');
      },
      { exitCode: null, signal: 'SIGLIVE\ufffdEVIL' },
    ],
  ])('ends with %s, also when it ends at once', async (_, leave, end) => {
    await t.replaceSsh({
      onShell(channel) {
        leave(channel);
        channel.end('bye');
      },
    });
    const terminal = await t.open();
    expect(await terminal.next()).toEqual({ type: 'exit', ...end });
    expect(terminal.output.toString()).toBe('bye');
    expect((await terminal.messages.closed).code).toBe(1005);
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });

  it('gets binary input in its order', async () => {
    const terminal = await t.open();
    let received = Buffer.alloc(0);
    t.ssh.channels[0]?.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    const pieces = Array.from({ length: 500 }, (_, index) => Buffer.from([index & 255, 0, 255, index >> 8]));
    for (const piece of pieces) terminal.socket.send(piece);
    await expect.poll(() => received.length).toBe(2_000);
    expect(received).toEqual(Buffer.concat(pieces));
  });

  it.each([
    ['a browser that does not read', (terminal: Terminal) => terminal.socket.pause()],
    [
      'a browser that reads and cannot draw so fast',
      (terminal: Terminal) => {
        terminal.isAcking = false;
      },
    ],
  ])('a shell that floods %s is held back, and loses nothing', async (_, stall) => {
    const size = 64 * 1024 * 1024;
    let written = 0;
    await t.replaceSsh({
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
    const terminal = await t.start();
    stall(terminal);
    await expectSettled(() => written);
    // The window of the page, and SSH's own of 2 MB at either end.
    expect(written).toBeLessThan(8 * 1024 * 1024);
    expect(terminal.received).toBeLessThanOrEqual(terminalWindows.output + 64 * 1024);
    terminal.socket.resume();
    terminal.isAcking = true;
    terminal.ackOutput();
    expect(await terminal.next()).toMatchObject({ type: 'ready' });
    expect(await t.countUntilExit(terminal)).toBe(size);
  });

  it('a shell that floods its error output is held back too', async () => {
    let written = 0;
    await t.replaceSsh({
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
    const terminal = await t.open();
    terminal.isAcking = false;
    await expectSettled(() => written);
    expect(written).toBeLessThan(8 * 1024 * 1024);
    terminal.socket.terminate();
  });

  it('ends with whoever sends more than the device takes', async () => {
    await t.replaceSsh({ onShell: (channel) => channel.pause() });
    const terminal = await t.open();
    const piece = Buffer.alloc(200 * 1024, 'x');
    for (let sent = 0; sent < 16 * 1024 * 1024; sent += piece.length) terminal.socket.send(piece);
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'invalid_request' });
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
  });

  it('a shell whose device is cut ends with a reason', async () => {
    const terminal = await t.open();
    t.device.linked.cut();
    expect(await terminal.next()).toMatchObject({
      type: 'failed',
      code: 'controller_offline',
      detail: 'The connection to the controller was lost.',
    });
    await terminal.messages.closed;
  });

  it('ends when the browser leaves, and both ends are in the audit log', async () => {
    const terminal = await t.open();
    terminal.socket.send('whoami\n');
    terminal.socket.send(Buffer.from('whoami\n'));
    terminal.socket.close();
    await expect.poll(() => t.device.linked.connections.size).toBe(0);
    const actions = async () => {
      const events = await t.fixture.server.db
        .selectFrom('audit_events')
        .select('action')
        .where('subject', '=', t.device.serialNumber)
        .orderBy('id')
        .execute();
      return events.map(({ action }) => action).filter((action) => action.startsWith('terminal'));
    };
    await expect.poll(actions).toEqual(['terminal.opened', 'terminal.closed']);
  });

  it('survives input that comes as it ends', async () => {
    await t.replaceSsh({
      onShell(channel) {
        channel.once('data', () => {
          channel.exit(0);
          channel.end();
          channel.destroy();
        });
      },
    });
    const terminal = await t.open();
    for (let index = 0; index < 200; index += 1) terminal.socket.send(Buffer.from('x'));
    await terminal.messages.closed;
  });
});
