import { limits } from '@pult/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseBucket } from './buckets.ts';

const minute = 60_000;

test.each([
  [3600_000, 10_000],
  [24 * 3600_000, 5 * minute],
  [7 * 24 * 3600_000, 30 * minute],
  [30 * 24 * 3600_000, 2 * 3600_000],
])('%i ms are cut into parts of %i ms', (period, bucket) => {
  const start = new Date('2026-11-21T10:00:00Z');
  expect(chooseBucket(start, new Date(start.getTime() + period))).toBe(bucket);
});

test('no period has more parts than an answer may have', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), fc.date({ noInvalidDate: true }), (one, other) => {
      const [start, stop] = [one, other].sort((a, b) => a.getTime() - b.getTime());
      if (!start || !stop) return;
      const bucket = chooseBucket(start, stop);
      const parts = Math.floor(stop.getTime() / bucket) - Math.floor(start.getTime() / bucket) + 1;
      expect(parts).toBeLessThanOrEqual(limits.metricPoints);
    }),
  );
});
