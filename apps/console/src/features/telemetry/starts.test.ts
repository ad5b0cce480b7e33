import { expect, it } from 'vitest';
import { findStarts } from './starts.ts';

const minute = 60_000;
const begin = Date.parse('2026-11-20T00:00:00Z');

/** As the server answers: averages over parts of that many minutes of a system that starts at these minutes. */
function average(part: number, from: number, to: number, ...starts: readonly number[]) {
  const [times, uptimes]: [number[], number[]] = [[], []];
  for (let first = from - (from % part); first < to; first += part) {
    const measured = Array.from({ length: part }, (_, index) => first + index)
      .filter((at) => at >= from && at < to)
      .map((at) => (at - Math.max(...starts.filter((start) => start <= at))) * 60);
    times.push(begin + first * minute);
    uptimes.push(measured.reduce((sum, value) => sum + value, 0) / measured.length);
  }
  return { times, values: [uptimes] };
}

it.each([1, 5, 120])('the start of a system that runs on is found in parts of %s min', (part) => {
  const starts = findStarts(average(part, 0, 2000, -5000));
  expect(starts?.count).toBe(0);
  expect(Math.abs((starts?.last ?? 0) - (begin - 5000 * minute))).toBeLessThanOrEqual(minute);
});

it.each([1, 5, 120])('starts within the period are counted once each, in parts of %s min', (part) => {
  const starts = findStarts(average(part, 0, 2000, -5000, 510, 1301));
  expect(starts?.count).toBe(2);
  expect(Math.abs((starts?.last ?? 0) - (begin + 1301 * minute))).toBeLessThanOrEqual(minute);
});

it('a system that was off for longer than it ran before is seen to have started', () => {
  const before = average(5, 0, 30, 0);
  const after = average(5, 3000, 3090, 3000);
  const { times, values } = {
    times: [...before.times, ...after.times],
    values: [...before.values, ...after.values],
  };
  expect(findStarts({ times, values: [values.flat()] })).toEqual({ last: expect.any(Number), count: 1 });
});

it('a last part that has only begun is no start, and none is found in nothing', () => {
  expect(findStarts(average(120, 0, 241, -10))?.count).toBe(0);
  expect(findStarts({ times: [], values: [[]] })).toBeUndefined();
  expect(findStarts({ times: [begin], values: [[null]] })).toBeUndefined();
});
