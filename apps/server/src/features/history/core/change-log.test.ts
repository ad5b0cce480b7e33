import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketLog, type Change, makeLog, thinLog } from './change-log.ts';
import { finest, hour } from './resolutions.ts';

const minute = 60_000;
const { length } = finest;
const told = fc.array(
  fc.record({ at: fc.integer({ min: 0, max: 4 * hour }), value: fc.constantFrom('0', '1', '2') }),
  { maxLength: 40 },
);

/** What it was at a time; undefined before the first change. */
const valueAt = (log: readonly Change[], at: number) => log.findLast((change) => change.at <= at)?.value;

it('a log says at each moment what was told last, and nothing twice', () => {
  fc.assert(
    fc.property(told, (changes) => {
      const log = makeLog(changes);
      const sorted = changes.toSorted((one, other) => one.at - other.at);
      for (const { at } of changes) expect(valueAt(log, at)).toBe(valueAt(sorted, at));
      log.forEach(({ value, at }, index) => {
        expect(value).not.toBe(log[index - 1]?.value);
        expect(at).toBeGreaterThan(log[index - 1]?.at ?? -1);
      });
      expect(makeLog(log)).toEqual(log);
    }),
  );
});

it('buckets of a switch say for which part of the time it was on', () => {
  const log = [
    { at: minute, value: '0' },
    { at: 10 * minute, value: '1' },
    { at: 25 * minute, value: '0' },
  ];
  const [first, second] = bucketLog(log, 30 * minute, { until: hour, held: hour });
  expect(first).toMatchObject({ min: 0, max: 1, last: 0 });
  expect(first?.mean).toBeCloseTo(15 / 29, 1);
  expect(second).toEqual({ at: 30 * minute, min: 0, mean: 0, max: 0, last: 0 });
});

it('a switch that is not heard of any more is held for so long, and a text is no number', () => {
  const log = [
    { at: 0, value: '1' },
    { at: hour, value: 'broken' },
  ];
  const buckets = bucketLog(log, length, { until: 9 * hour, held: 2 * hour });
  expect(buckets.at(-1)?.at).toBe(2 * hour - length);
  expect(new Set(buckets.map(({ last }) => last))).toEqual(new Set([1]));
});

it('a log that changes too often is bounded: the last change of each six seconds stays, and so does what it is now', () => {
  const log = Array.from({ length: 36_000 }, (_, index) => ({ at: index * 100, value: String(index) }));
  const thinned = thinLog(log, 1);
  expect(thinned).toHaveLength(600);
  expect(thinned.at(-1)).toEqual(log.at(-1));
  expect(thinned[0]).toEqual(log[59]);
  expect(thinLog(log.slice(0, 600), 1)).toHaveLength(600);
});
