import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createTerminalFixture, type TerminalFixture } from './terminal.fixture.ts';

/** What needs a server with times of its own. */

let t: TerminalFixture | undefined;
afterEach(() => t?.close());

async function createFixture(timing: { terminalResumeMs?: number; terminalAliveMs?: number }) {
  t = await createTerminalFixture({ timing });
  return t;
}

describe('a shell without its page', () => {
  it('ends when the time to come back is over', async () => {
    const fixture = await createFixture({ terminalResumeMs: 100 });
    const terminal = await fixture.open();
    terminal.socket.terminate();
    await expect.poll(() => fixture.device.linked.connections.size).toBe(0);
    const back = await fixture.resume(terminal);
    expect(await back.next()).toMatchObject({ type: 'failed', code: 'session_gone', detail: /./ });
  });

  it('a shell without its page does not end by that time once its page is back', async () => {
    const fixture = await createFixture({ terminalResumeMs: 2_000 });
    const terminal = await fixture.open();
    terminal.socket.terminate();
    await once(terminal.socket, 'close');
    const back = await fixture.resume(terminal);
    expect(await back.next()).toMatchObject({ type: 'resumed' });
    const later = await fixture.open();
    later.socket.terminate();
    // The other one's time was over: this one's began earlier.
    await expect.poll(() => fixture.device.linked.connections.size).toBe(1);
    fixture.ssh.channels[0]?.write('still here');
    await expect.poll(() => back.received).toBe(10);
  });

  it('a shell without its page is noticed though its network went away in silence', async () => {
    const fixture = await createFixture({ terminalAliveMs: 50 });
    const terminal = await fixture.open();
    // Reads nothing any more, and so answers no ping.
    terminal.socket.pause();
    const [message] = await Promise.all([
      fixture.resume(terminal).then((back) => back.next()),
      expect.poll(() => terminal.socket.readyState).toBe(terminal.socket.OPEN),
    ]);
    expect(message).toMatchObject({ type: 'resumed' });
  });

  it('hears a sign of life again and again', async () => {
    const fixture = await createFixture({ terminalAliveMs: 200 });
    const terminal = await fixture.open();
    for (let heard = 0; heard < 5; ) {
      const { data, isBinary } = await terminal.messages.next();
      if (!isBinary && JSON.parse(String(data)).type === 'alive') heard += 1;
    }
  });

  it('makes way for newer ones beyond ten of one person', async () => {
    const fixture = await createFixture({});
    const terminals = [];
    for (let count = 0; count < 11; count += 1) {
      const terminal = await fixture.open();
      terminal.socket.terminate();
      await once(terminal.socket, 'close');
      terminals.push(terminal);
    }
    await expect.poll(() => fixture.device.linked.connections.size).toBe(10);
    const [oldest, second] = terminals;
    if (!oldest || !second) throw new Error('no terminals');
    expect(await (await fixture.resume(oldest)).next()).toMatchObject({ code: 'session_gone' });
    expect(await (await fixture.resume(second)).next()).toMatchObject({ type: 'resumed' });
  });

  it('ends with the server, which says so to whoever is connected', async () => {
    const fixture = await createFixture({});
    const lost = await fixture.open();
    lost.socket.terminate();
    const shown = await fixture.open();
    const ended = shown.next();
    fixture.fixture.server.server.events.publish('serverStopping', {});
    expect(await ended).toMatchObject({
      type: 'failed',
      code: 'server_stopping',
      detail: 'The server is restarting. Open the terminal again in a minute.',
    });
    await expect.poll(() => fixture.device.linked.connections.size).toBe(0);
  });
});
