import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Events } from './events/events.ts';
import { createLog } from './log.ts';
import { createRevalidator } from './revalidator.ts';

const intervalMs = 1_000;

/** A look that ends when the test says so. */
function createLook() {
  const ends: (() => void)[] = [];
  const revalidate = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  return { revalidate, end: () => ends.shift()?.() };
}

function create(options: Partial<Parameters<typeof createRevalidator>[0]> = {}) {
  const events = new Events(createLog('silent'));
  const onFailure = vi.fn();
  const revalidate = vi.fn(async () => {});
  const revalidator = createRevalidator({ revalidate, events, intervalMs, onFailure, ...options });
  return { events, onFailure, revalidate, revalidator };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('looks at the end of somebody’s access, and at each interval', async () => {
  const { events, revalidate, revalidator } = create();
  revalidator.start();
  events.publish('accessEnded', { userId: 'a' });
  expect(revalidate).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2 * intervalMs);
  expect(revalidate).toHaveBeenCalledTimes(3);
  revalidator.stop();
  events.publish('accessEnded', { userId: 'a' });
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(revalidate).toHaveBeenCalledTimes(3);
});

it('leaves out the ends of access that concern others', () => {
  const { events, revalidate, revalidator } = create({ concerns: ({ userId }) => userId === 'mine' });
  revalidator.start();
  events.publish('accessEnded', { userId: 'another' });
  expect(revalidate).not.toHaveBeenCalled();
  events.publish('accessEnded', { userId: 'mine' });
  expect(revalidate).toHaveBeenCalledTimes(1);
  revalidator.stop();
});

it('looks one time after another, and once more for all who ask meanwhile', async () => {
  const { revalidate, end } = createLook();
  const { revalidator } = create({ revalidate });
  const first = revalidator.check();
  const others = [revalidator.check(), revalidator.check()];
  expect(revalidate).toHaveBeenCalledTimes(1);
  end();
  await vi.waitFor(() => expect(revalidate).toHaveBeenCalledTimes(2));
  end();
  await Promise.all([first, ...others]);
  expect(revalidate).toHaveBeenCalledTimes(2);
});

it('tells of a look that has failed, and looks again at the next interval', async () => {
  const failure = new Error('no database');
  const revalidate = vi.fn(async () => {}).mockRejectedValueOnce(failure);
  const { onFailure, revalidator } = create({ revalidate });
  revalidator.start();
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(onFailure).toHaveBeenCalledWith(failure);
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(revalidate).toHaveBeenCalledTimes(2);
  expect(onFailure).toHaveBeenCalledTimes(1);
  revalidator.stop();
});
