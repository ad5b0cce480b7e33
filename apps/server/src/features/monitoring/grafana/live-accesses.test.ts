import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import { Events } from '../../../platform/events/events.ts';
import { createLog } from '../../../platform/log.ts';
import { createLiveAccesses, type LiveAccesses } from './live-accesses.ts';

const mine = { id: 'access-1', userId: 'user-1' };
const another = { id: 'access-2', userId: 'user-2' };

let events: Events;
let holding: string[];
let live: LiveAccesses;

beforeEach(() => {
  const log = createLog('silent');
  events = new Events(log);
  holding = [mine.id, another.id];
  const repository = { listHolding: async () => holding };
  live = createLiveAccesses({ events, log, clock: systemClock }, { repository });
  live.start();
});
afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

it('cuts all that rests on an access which holds no longer, and nothing else', async () => {
  const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()];
  live.track(mine, 'request', first);
  live.track(mine, 'session', second);
  live.track(another, 'session', other);
  holding = [another.id];
  events.publish('accessEnded', { userId: mine.userId });
  await vi.waitFor(() => expect(second).toHaveBeenCalled());
  expect(first).toHaveBeenCalled();
  expect(other).not.toHaveBeenCalled();
});

it('looks at what is open each second without any event', async () => {
  live.stop();
  vi.useFakeTimers();
  const listHolding = vi.fn(async () => [mine.id]);
  const log = createLog('silent');
  live = createLiveAccesses({ events, log, clock: systemClock }, { repository: { listHolding } });
  live.start();
  const cut = vi.fn();
  live.track(mine, 'session', cut);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(listHolding).toHaveBeenCalledTimes(5);
  expect(cut).not.toHaveBeenCalled();
  listHolding.mockResolvedValue([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cut).toHaveBeenCalledTimes(1);
});

it('lets one user open 500 at once, and one more when one has closed', () => {
  const handles = Array.from({ length: 500 }, () => live.track(mine, 'request', () => {}));
  expect(handles.every((handle) => handle !== undefined)).toBe(true);
  expect(live.track(mine, 'request', () => {})).toBeUndefined();
  expect(live.track(another, 'request', () => {})).toBeDefined();
  handles[0]?.end();
  handles[0]?.end();
  expect(live.track(mine, 'request', () => {})).toBeDefined();
  expect(live.track(mine, 'request', () => {})).toBeUndefined();
});

it('cuts what would never end by itself when the server begins to stop, and requests at last', () => {
  const [request, session] = [vi.fn(), vi.fn()];
  live.track(mine, 'request', request);
  live.track(mine, 'session', session);
  events.publish('serverStopping', {});
  expect(session).toHaveBeenCalledTimes(1);
  expect(request).not.toHaveBeenCalled();
  live.stop();
  expect(request).toHaveBeenCalledTimes(1);
});
