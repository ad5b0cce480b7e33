import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { describeLoss } from './terminal-messages.ts';
import { createTerminalSession } from './terminal-session.ts';

it('a device whose shell writes more short pieces than there is room for is not read until they are paid', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    const page = Object.assign(new EventEmitter(), { OPEN: 1, readyState: 1, send() {}, close() {} });
    const device = new PassThrough().resume();
    const charge = vi.fn(() => 0);
    const session = createTerminalSession(page as unknown as WebSocket, {
      resumeMs: 60_000,
      aliveMs: 60_000,
      getControllerWait: () => undefined,
      takenOver: describeLoss('taken_over', 'en'),
      onDetached() {},
      onGone() {},
      charge,
      device,
    });
    session.output(Buffer.alloc(64), () => {});
    expect(charge).not.toHaveBeenCalled();
    session.output(Buffer.from('x'), () => {});
    // A packet to be decrypted.
    expect(charge).toHaveBeenLastCalledWith(4);
    expect(device.isPaused()).toBe(false);

    charge.mockReturnValue(1_000);
    session.output(Buffer.from('x'), () => {});
    expect(device.isPaused()).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(device.isPaused()).toBe(false);
    session.cut();
  } finally {
    vi.useRealTimers();
  }
});
