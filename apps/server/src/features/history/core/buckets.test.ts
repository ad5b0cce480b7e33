import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bucket, makeBuckets, mergeBuckets, type Point, rollBuckets } from './buckets.ts';
import { chunkFigure } from './chunk.fixture.ts';
import { finest } from './resolutions.ts';

const minute = 60_000;
const { length } = finest;

const points = fc.array(fc.record({ at: fc.integer({ min: 0, max: 60 * minute }), value: chunkFigure }), {
  maxLength: 60,
});
/** Of one value a time: of two it counts which was told later. */
const distinct = points.map((all) => [...new Map(all.map((point) => [point.at, point])).values()]);

/** As it is said, and slowly: what stood at each moment of a bucket since its first value. */
function expectBucket(bucket: Bucket, told: readonly Point[]): void {
  const own = told
    .filter(({ at }) => at >= bucket.at && at < bucket.at + length)
    .toSorted((one, other) => one.at - other.at);
  const values = own.map(({ value }) => value);
  expect(bucket.min).toBe(Math.min(...values) + 0);
  expect(bucket.max).toBe(Math.max(...values) + 0);
  expect(bucket.last).toBe((values.at(-1) ?? 0) + 0);
  const end = bucket.at + length;
  const known = end - (own[0]?.at ?? 0);
  const mean = own.reduce(
    (sum, { at, value }, index) => sum + (value * ((own[index + 1]?.at ?? end) - at)) / known,
    0,
  );
  const range = bucket.max / 64 - bucket.min / 64;
  expect(Math.abs(bucket.mean - mean)).toBeLessThanOrEqual(range * 1.01 + Math.abs(mean) * 1e-9);
  expect(bucket.mean).toBeGreaterThanOrEqual(bucket.min);
  expect(bucket.mean).toBeLessThanOrEqual(bucket.max);
}

it('a bucket has the extremes, the last value and the mean over time of what was told in it, in whatever order it came', () => {
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (told, dice) => {
      const buckets = makeBuckets(told, length);
      expect(new Set(buckets.map(({ at }) => at))).toEqual(
        new Set(told.map(({ at }) => Math.floor(at / length) * length)),
      );
      for (const bucket of buckets) expectBucket(bucket, told);
      const shuffled = told
        .map((point) => ({ point, place: dice.next().value ?? 0 }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ point }) => point);
      expect(makeBuckets(shuffled, length)).toEqual(buckets);
    }),
  );
});

it('what is told twice changes nothing, and of two values of one time the later told is the last', () => {
  const at = 10_000;
  const told = [
    { at, value: 1 },
    { at, value: 2 },
  ];
  expect(makeBuckets(told, length)).toEqual([{ at: 0, min: 1, mean: 2, max: 2, last: 2 }]);
  expect(makeBuckets([...told, ...told], length)).toEqual(makeBuckets(told, length));
});

it('a value counts for as long as it stood: 20 for a minute and a half, then 30', () => {
  const told = [
    { at: 0, value: 20 },
    { at: 90_000, value: 30 },
  ];
  expect(makeBuckets(told, length)).toEqual([{ at: 0, min: 20, mean: 22.5, max: 30, last: 30 }]);
});

it('a clock that was set back puts nothing in the wrong place', () => {
  const told = [
    { at: 5 * minute, value: 3 },
    { at: 1 * minute, value: 1 },
    { at: 3 * minute, value: 2 },
  ];
  expect(makeBuckets(told, length).map(({ at, last }) => [at / minute, last])).toEqual([
    [0, 1],
    [2, 2],
    [4, 3],
  ]);
});

it('what came late widens the buckets that are there and fills the holes between them', () => {
  fc.assert(
    fc.property(points, points, (early, late) => {
      const merged = mergeBuckets(makeBuckets(early, length), makeBuckets(late, length));
      const whole = makeBuckets([...early, ...late], length);
      const extremes = ({ at, min, max }: Bucket) => ({ at, min, max });
      expect(merged.map(extremes)).toEqual(whole.map(extremes));
      for (const { min, mean, max } of merged) expect(mean >= min && mean <= max).toBe(true);
      expect(merged.map(({ at }) => at)).toEqual(merged.map(({ at }) => at).toSorted((a, b) => a - b));
    }),
  );
});

it('longer buckets keep the extremes and the last value, however often they are rolled', () => {
  fc.assert(
    fc.property(points, fc.constantFrom(2, 3, 5, 15), fc.constantFrom(1, 2, 7), (told, times, again) => {
      const buckets = makeBuckets(told, length);
      const rolled = rollBuckets(
        rollBuckets(buckets, length, times * length),
        times * length,
        again * times * length,
      );
      const all = (list: readonly Bucket[], name: 'min' | 'max') => list.map((bucket) => bucket[name]);
      expect(Math.min(...all(rolled, 'min'))).toBe(Math.min(...all(buckets, 'min')));
      expect(Math.max(...all(rolled, 'max'))).toBe(Math.max(...all(buckets, 'max')));
      expect(rolled.at(-1)?.last).toBe(buckets.at(-1)?.last);
      for (const { at, min, mean, max } of rolled) {
        expect(at % (again * times * length)).toBe(0);
        expect(mean >= min && mean <= max).toBe(true);
      }
    }),
  );
});

it('a longer bucket without values of its own stands at the last one before, for its own length at most', () => {
  const half = 30 * minute;
  const at = (minutes: number, value: number) => ({
    at: minutes * minute,
    min: value,
    mean: value,
    max: value,
    last: value,
  });
  // 10 for 28 minutes, then 20 for two.
  expect(rollBuckets([at(0, 10), at(28, 20)], length, half)).toMatchObject([{ min: 10, max: 20, last: 20 }]);
  expect(rollBuckets([at(0, 10), at(28, 20)], length, half)[0]?.mean).toBeCloseTo(10.67, 1);
  // What was before the half hour stands in its first part.
  expect(rollBuckets([at(28, 10), at(44, 20)], length, half)[1]).toMatchObject({ min: 10, last: 20 });
  // Hours later nobody knows.
  expect(rollBuckets([at(28, 10), at(144, 20)], length, half)[1]).toMatchObject({
    min: 20,
    mean: 20,
    max: 20,
  });
});
