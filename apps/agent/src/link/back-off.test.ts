import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getAskedDelay, getNextAttempt, getRetryDelay } from './back-off.ts';

test('the limit doubles from one second to one minute', () => {
  const limits = Array.from({ length: 9 }, (_, attempt) => getRetryDelay(attempt, () => 1));
  expect(limits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

test('the jitter is full', () => {
  expect(getRetryDelay(5, () => 0)).toBe(0);
  expect(getRetryDelay(5, () => 0.5)).toBe(16_000);
});

test('no attempt number leaves the limits', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const delay = getRetryDelay(attempt, () => random);
      return delay >= 0 && delay <= 60_000;
    }),
  );
});

test('a minute of health starts the count over; less does not', () => {
  expect(getNextAttempt(7, 60_000)).toBe(0);
  expect(getNextAttempt(7, 59_999)).toBe(8);
  expect(getNextAttempt(0, 0)).toBe(1);
});

test('devices told the same come back spread, none before its time', () => {
  expect([0, 0.5, 1].map((random) => getAskedDelay(20_000, () => random))).toEqual([20_000, 25_000, 30_000]);
  expect(getAskedDelay(0, () => 1)).toBe(1000);
});
