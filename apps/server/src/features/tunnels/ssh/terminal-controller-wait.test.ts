import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTerminalFixture, type TerminalFixture } from './terminal.fixture.ts';

let t: TerminalFixture;
beforeAll(async () => {
  t = await createTerminalFixture();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.replaceSsh({ onShell: (channel) => void channel.pipe(channel) });
  const { fixture, endpoints } = t;
  t.device = await fixture.addDevice(t.nextSerialNumber(), { endpoints, isResumable: true });
});
// What was open on a link that waits would keep its SSH server.
afterEach(() => t.device.linked.link.close());

describe('a terminal whose controller is cut off', () => {
  it('says for how long its controller is waited for and when it is back, and loses nothing', async () => {
    const terminal = await t.open();
    const { linked } = t.device;
    linked.cut();
    const lost = await terminal.next();
    expect(lost).toEqual({ type: 'controllerLost', remainingMs: expect.any(Number) });
    if (lost.type !== 'controllerLost') throw new Error('unreachable');
    expect(lost.remainingMs).toBeGreaterThan(60_000);
    expect(lost.remainingMs).toBeLessThanOrEqual(120_000);
    terminal.socket.send(Buffer.from('typed meanwhile'));
    await linked.resume();
    expect(await terminal.next()).toEqual({ type: 'controllerBack' });
    await expect.poll(() => terminal.received).toBe('typed meanwhile'.length);
    linked.cut();
    expect(await terminal.next()).toMatchObject({ type: 'controllerLost' });
    terminal.socket.close();
  });

  it('a page that comes back while its controller is waited for hears of it, one that comes later does not', async () => {
    const terminal = await t.open();
    const { linked } = t.device;
    terminal.socket.terminate();
    await once(terminal.socket, 'close');
    const { links } = t.fixture.server.server;
    const [enrolmentId = ''] = links.listIds().slice(-1);
    linked.cut();
    await expect.poll(() => links.getWait(enrolmentId)).toBeGreaterThan(60_000);
    const second = await t.resume(terminal);
    expect(await second.next()).toMatchObject({ type: 'resumed' });
    expect(await second.next()).toMatchObject({ type: 'controllerLost' });
    second.socket.terminate();
    await once(second.socket, 'close');
    await linked.resume();
    await expect.poll(() => links.getWait(enrolmentId)).toBe(undefined);
    const third = await t.resume(second);
    expect(await third.next()).toMatchObject({ type: 'resumed' });
    third.socket.send(Buffer.from('x'));
    await expect.poll(() => third.received).toBe(1);
    third.send({ type: 'end' });
    await once(third.socket, 'close');
  });

  it('a terminal whose controller does not come back ends as offline', async () => {
    const terminal = await t.open();
    const { links } = t.fixture.server.server;
    const [enrolmentId = ''] = links.listIds().slice(-1);
    const link = links.get(enrolmentId);
    t.device.linked.cut();
    expect(await terminal.next()).toMatchObject({ type: 'controllerLost' });
    link?.close('transport');
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'controller_offline' });
  });

  it('a terminal that is over listens to its controller’s link no longer, however it ended', async () => {
    const { links } = t.fixture.server.server;
    let listeners = 0;
    const { onChange } = links;
    vi.spyOn(links, 'onChange').mockImplementation((listener) => {
      const stop = onChange(listener);
      listeners += 1;
      return () => {
        listeners -= 1;
        return stop();
      };
    });
    const left = await t.open();
    await t.open();
    const detached = await t.open();
    expect(listeners).toBe(3);
    left.socket.close();
    await expect.poll(() => listeners).toBe(2);
    t.ssh.channels[1]?.end();
    await expect.poll(() => listeners).toBe(1);
    detached.socket.terminate();
    await once(detached.socket, 'close');
    t.device.linked.link.close();
    await expect.poll(() => listeners).toBe(0);
    vi.restoreAllMocks();
  });
});
