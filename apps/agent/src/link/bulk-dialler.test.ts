import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBulkDialler } from './bulk-dialler.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a second connection that is asked for a thousand times is dialled once', async () => {
  const connect = vi.fn(async () => {});
  const lines: string[] = [];
  const dialler = createBulkDialler({ connect, print: (line) => void lines.push(line) });
  for (let count = 0; count < 1000; count += 1) dialler.dial(false);
  await Promise.resolve();
  expect(connect).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(lines).toEqual(['link: a second connection carries what is large']));
});

test('a second connection that fails is dialled again after a pause, and after a longer one the next time', async () => {
  const connect = vi.fn(() => Promise.reject(new Error('refused')));
  const lines: string[] = [];
  const dialler = createBulkDialler({ connect, print: (line) => void lines.push(line) });
  const dialAfter = async (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000);
    const before = connect.mock.calls.length;
    dialler.dial(false);
    await new Promise((resolve) => setImmediate(resolve));
    return connect.mock.calls.length - before;
  };
  expect(await dialAfter(0)).toBe(1);
  expect(await dialAfter(29)).toBe(0);
  expect(await dialAfter(1)).toBe(1);
  expect(await dialAfter(59)).toBe(0);
  expect(await dialAfter(1)).toBe(1);
  expect(new Set(lines)).toEqual(new Set(['link: no second connection (refused)']));
});

test('a link whose connection does not answer has another at once, and after five seconds where that failed', async () => {
  const connect = vi.fn(() => Promise.reject(new Error('refused')));
  const dialler = createBulkDialler({ connect, print: () => {} });
  const dialAfter = async (seconds: number, isUrgent: boolean) => {
    vi.advanceTimersByTime(seconds * 1000);
    const isDialled = dialler.dial(isUrgent);
    // While one is on its way nobody needs another.
    expect(dialler.dial(true)).toBe(isDialled);
    await new Promise((resolve) => setImmediate(resolve));
    return isDialled;
  };
  expect(await dialAfter(0, false)).toBe(true);
  // The pause of those for bulk is not theirs.
  expect(await dialAfter(0, true)).toBe(true);
  expect(await dialAfter(4, true)).toBe(false);
  expect(await dialAfter(1, true)).toBe(true);
  expect(await dialAfter(9, true)).toBe(false);
  expect(await dialAfter(1, true)).toBe(true);
  expect(connect).toHaveBeenCalledTimes(4);
});
