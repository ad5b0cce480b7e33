import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Arrivals, FLOW_BYTES } from './arrivals.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** What has come is told by `told`, or with something else by `take`. */
function create() {
  const begun = performance.now();
  const told: number[] = [];
  const arrivals = new Arrivals(() => {
    told.push(performance.now() - begun);
    arrivals.take();
  });
  return {
    told,
    arrivals,
    come(bytes: number) {
      arrivals.bytes += bytes;
      return arrivals.endRead(false, performance.now());
    },
  };
}

test('a little that has come is told after a second, much of it within five milliseconds, and most at once', () => {
  const { told, arrivals, come } = create();
  expect(come(10)).toBe(false);
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([1_000]);
  come(10);
  come(FLOW_BYTES);
  vi.advanceTimersByTime(5);
  expect(told).toEqual([1_000, 1_005]);
  expect(come(4_096)).toBe(true);
  arrivals.stop();
  vi.advanceTimersByTime(5_000);
  expect(told).toHaveLength(2);
});

test('what comes behind something that was told waits its own time', () => {
  const { told, arrivals, come } = create();
  come(10);
  vi.advanceTimersByTime(500);
  arrivals.take();
  vi.advanceTimersByTime(400);
  come(10);
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([1_900]);
  arrivals.stop();
});
