import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLinkPair } from './testing/link-pair.ts';
import { createService } from './testing/services.ts';

// The sockets are real, and only our own timers are moved: their pings have to pass the line for the hour to pass.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

const pingIntervalMs = 15_000;
const hourMs = 3_600_000;

test.each(['upgrade', 'websocket'] as const)(
  'a session over %s in which nobody says anything is there after an hour',
  async (transport) => {
    const { cloud, device } = await createLinkPair({
      transport,
      handlers: await createService((socket) => socket.pipe(socket)),
    });
    let end = '';
    void Promise.race([cloud.closed, device.closed]).then((reason) => {
      end = reason;
    });
    const session = await cloud.openService('ssh');
    session.write('prompt');
    await once(session, 'data');
    for (let passed = 0; passed < hourMs; passed += 2 * pingIntervalMs) {
      // Both ends have heard something and say nothing; then they have heard nothing and ping.
      vi.advanceTimersByTime(pingIntervalMs);
      vi.advanceTimersByTime(pingIntervalMs);
      // What they have sent arrives, however slow this machine is.
      await cloud.getInfo();
    }
    expect(end).toBe('');
    session.write('still here');
    expect(String((await once(session, 'data'))[0])).toBe('still here');
    session.destroy();
  },
);
