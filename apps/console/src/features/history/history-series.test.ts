import { expect, it } from 'vitest';
import { withGaps } from '../../shared/charts/series.ts';
import { isShare, toBand, toShare, toSteps } from './history-series.ts';

const minute = 60_000;
const start = Date.parse('2026-11-20T10:00:00Z');
const point = (minutes: number, min: number, mean: number, max: number) => ({
  timestamp: new Date(start + minutes * minute).toISOString(),
  min,
  mean,
  max,
  last: mean,
});

it('a number is its mean between its extremes, with a hole where it was not told for half an hour', () => {
  const series = toBand([point(0, 1, 2, 3), point(20, 2, 2, 2), point(60, 5, 6, 8)], 120);
  expect(series.values).toEqual([
    [2, 2, 6],
    [3, 2, 8],
    [1, 2, 5],
  ]);
  expect(withGaps(series).values[0]).toEqual([2, 2, null, 6]);
});

it('a switch stays what it became up to the end, without holes', () => {
  const stop = start + 500 * minute;
  const series = toSteps([point(0, 0, 0, 0), point(300, 1, 1, 1)], stop);
  expect(series).toMatchObject({ times: [start, start + 300 * minute, stop], values: [[0, 1, 1]] });
  expect(withGaps(series).values[0]).toEqual([0, 1, 1]);
  expect(toSteps([], stop).times).toEqual([]);
});

it('over long periods a switch is the share of time it was on, in percent', () => {
  expect([isShare(120), isShare(1800)]).toEqual([false, true]);
  expect(toShare([point(0, 0, 0.25, 1)], 1800).values).toEqual([[25]]);
});
