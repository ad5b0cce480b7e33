import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { budgetOf, runWithin } from './cost.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A processor that gives so much of each second. */
function createMeter(share: number) {
  const start = Date.now();
  return { readSeconds: () => ((Date.now() - start) / 1000) * share, save: () => {}, load: () => undefined };
}

it('a run that keeps the processor busy is over once its budget is used', async () => {
  const run = runWithin(createMeter(0.5), 30, () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await run).toBeUndefined();
});

it('a run that waits for the processor has all the time it needs', async () => {
  const run = runWithin(createMeter(0.01), 30, async () => {
    await new Promise((resolve) => setTimeout(resolve, 3_000_000));
    return 'survived';
  });
  await vi.advanceTimersByTimeAsync(3_000_000);
  expect(await run).toBe('survived');
});

it('the budget of tests is three times their share of what all took, and a new worker may load everything', () => {
  const cost = { seconds: 100, tests: { a: 10, b: 30, c: 60 } };
  const spare = 10;
  expect(budgetOf(cost, ['a'], 'kept')).toBe(spare + 30);
  expect(budgetOf(cost, ['a', 'b'], 'new')).toBeCloseTo(spare + 120 + 100);
  expect(budgetOf(cost, undefined, 'kept')).toBe(spare + 300);
  expect(budgetOf({ seconds: 5, tests: {} }, ['a'], 'kept')).toBe(spare + 15);
});
