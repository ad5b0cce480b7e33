import { TestClock } from '@pult/testkit/in-process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { createLog } from '../../platform/log.ts';
import { createLiveTunnels } from './live-tunnels.ts';

function create(listHolding: (ids: readonly string[]) => Promise<string[]>) {
  const log = createLog('silent');
  const events = new Events(log);
  const live = createLiveTunnels({ repository: { listHolding }, events, log, clock: new TestClock() });
  return { live, events };
}

afterEach(() => vi.useRealTimers());

describe('live tunnels', () => {
  it('are looked up every second without any event: cut within 2 s with what is remembered for one', async () => {
    vi.useFakeTimers();
    let isAllowed = true;
    const { live } = create(async (ids) => (isAllowed ? [...ids] : []));
    const cuts: string[] = [];
    live.start();
    live.track('a', 'request', (reason) => cuts.push(reason));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(cuts).toEqual([]);
    isAllowed = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cuts).toEqual(['access_ended']);
    live.stop();
  });

  it('are forgotten when they close', () => {
    const { live } = create(async (ids) => [...ids]);
    const first = live.track('a', 'request', () => {});
    const second = live.track('a', 'request', () => {});
    expect(live.size).toBe(2);
    first();
    first();
    second();
    expect(live.size).toBe(0);
  });

  it('are looked up one query at a time, and again for who asked during one', async () => {
    const looks: (() => void)[] = [];
    const { live } = create((ids) => new Promise((resolve) => looks.push(() => resolve([...ids]))));
    live.track('a', 'request', () => {});
    const asked = [live.check(), live.check(), live.check()];
    expect(looks).toHaveLength(1);
    looks[0]?.();
    await expect.poll(() => looks.length).toBe(2);
    looks[1]?.();
    await Promise.all(asked);
    expect(looks).toHaveLength(2);
  });

  it('survive a database that cannot be asked, and are looked up again', async () => {
    let isDown = true;
    const { live } = create(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve([])));
    const cuts: string[] = [];
    live.track('a', 'session', (reason) => cuts.push(reason));
    await expect(live.check()).rejects.toThrow('down');
    expect(cuts).toEqual([]);
    isDown = false;
    await live.check();
    expect(cuts).toEqual(['access_ended']);
  });

  it('that end by themselves may finish when the server stops, the others end', () => {
    const { live, events } = create(async (ids) => [...ids]);
    const cuts: string[] = [];
    live.start();
    live.track('a', 'request', (reason) => cuts.push(`request ${reason}`));
    live.track('a', 'session', (reason) => cuts.push(`session ${reason}`));
    events.publish('serverStopping', {});
    expect(cuts).toEqual(['session server_stopping']);
    live.stop();
    expect(cuts).toContain('request server_stopping');
  });
});
