import { describe, expect, test } from 'vitest';
import { findLonePoints, summarizeLine, withGaps } from './series.ts';

const minute = 60_000;

describe('withGaps', () => {
  test('puts a hole where nothing was measured for long, and nowhere else', () => {
    const times = [0, 1, 2, 10, 11].map((count) => count * minute);
    const { times: shown, values } = withGaps({ times, values: [[1, 2, 3, 4, 5]] });
    expect(values).toEqual([[1, 2, 3, null, 4, 5]]);
    expect(shown[3]).toBeGreaterThan(2 * minute);
    expect(shown[3]).toBeLessThan(10 * minute);
  });

  test('goes by how often is usual: parts of two hours have none, a lost one has', () => {
    const hours = [0, 2, 4, 6, 8, 14, 16].map((count) => count * 60 * minute);
    expect(
      withGaps({ times: hours, values: [hours] }).values[0]?.filter((value) => value === null),
    ).toHaveLength(1);
  });

  test('takes what is late by a little for what it is', () => {
    const times = [0, 10_000, 20_000, 30_000, 30_000 + 2 * minute];
    expect(withGaps({ times, values: [[1, 1, 1, 1, 1]] }).times).toEqual(times);
  });

  test('cuts all lines at once', () => {
    const { values } = withGaps({
      times: [0, minute, 20 * minute],
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    });
    expect(values).toEqual([
      [1, 2, null, 3],
      [4, 5, null, 6],
    ]);
  });

  test('withGaps of nothing makes nothing', () => {
    expect(withGaps({ times: [], values: [[]] })).toEqual({ times: [], values: [[]] });
  });
});

test('a line is summed up by what it has', () => {
  expect(summarizeLine([3, null, -1, 7, null])).toEqual({ last: 7, lowest: -1, highest: 7 });
  expect(summarizeLine([null])).toBeUndefined();
});

test('points between two holes are found, as no line reaches them', () => {
  expect(findLonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
});
