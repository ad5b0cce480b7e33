import { describe, expect, test } from 'vitest';
import { labelTimes } from './time-axis.ts';
import { timeSearch } from './time-search.ts';
import { chooseScale, formatValue } from './units.ts';

/** Intl separates with spaces of several kinds. */
const plain = (text: string) => text.replace(/\s/g, ' ');

test.each([
  [21.54, 'percent', 'en', '21.5%'],
  [21.54, 'percent', 'ru', '21,5 %'],
  [1.257, 'number', 'ru', '1,26'],
  [45.55, 'celsius', 'en', '45.6°C'],
  [1.5 * 1024 ** 3, 'bytes', 'en', '1.5 GB'],
  [1.5 * 1024 ** 3, 'bytes', 'ru', '1,5 ГБ'],
  [12_345, 'count', 'ru', '12 345'],
  [12_345.6, 'count', 'en', '12,346'],
  [3 * 86_400 + 4 * 3600 + 59, 'seconds', 'en', '3 days 4 hrs'],
  [3 * 86_400 + 4 * 3600 + 59, 'seconds', 'ru', '3 дн. 4 ч'],
  [86_400, 'seconds', 'en', '1 day'],
  [0, 'seconds', 'en', '0 secs'],
  [59, 'seconds', 'en', '59 secs'],
  [31 * 60 + 34, 'seconds', 'en', '31 mins'],
  [31 * 60 + 34, 'seconds', 'ru', '31 мин'],
] as const)('%d %s in %s is %s', (value, unit, locale, text) => {
  expect(plain(formatValue(value, unit, locale))).toBe(text);
});

describe('the axis of values', () => {
  test('the axis of values is the whole of a percentage, and begins at nothing for amounts', () => {
    expect(chooseScale('percent', 20, 30)).toEqual([0, 100]);
    expect(chooseScale('bytes', 900, 1000)[0]).toBe(0);
    expect(chooseScale('bytes', 900, 1000)[1]).toBeGreaterThan(1000);
    expect(chooseScale('number', 0, 0)).toEqual([0, 1]);
  });
  test('the axis of values of a chart with nothing to draw goes from 0 to 1', () => {
    for (const unit of ['number', 'celsius'] as const) {
      expect(chooseScale(unit, null, null)).toEqual([0, 1]);
      expect(chooseScale(unit, null, 20)).toEqual([0, 1]);
      expect(chooseScale(unit, 20, null)).toEqual([0, 1]);
    }
  });
  test('shows how a temperature changes, also below zero', () => {
    const [lowest, highest] = chooseScale('celsius', -20, -18);
    expect(lowest).toBeLessThan(-20);
    expect(highest).toBeGreaterThan(-18);
    expect(highest).toBeLessThan(0);
  });
});

test('times have their day under the first of each, days stand alone', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  expect(labelTimes([at(20, 18), at(20, 21), at(21, 0)], 3 * 3600_000, 'en')).toEqual([
    '18:00\n20 Nov',
    '21:00',
    '00:00\n21 Nov',
  ]);
  expect(labelTimes([at(20, 0), at(21, 0)], 24 * 3600_000, 'ru').map(plain)).toEqual([
    '20 нояб.',
    '21 нояб.',
  ]);
});

test('the address holds what differs from the usual, and anything else in it falls back', () => {
  expect(timeSearch.read({})).toEqual({ range: '24h', refresh: '1m' });
  expect(timeSearch.read({ range: '7d', refresh: 'off' })).toEqual({ range: '7d', refresh: 'off' });
  expect(timeSearch.read({ range: '1y', refresh: '1s' })).toEqual({ range: '24h', refresh: '1m' });
  expect(timeSearch.write({ range: '24h', refresh: '1m' })).toEqual({});
  expect(timeSearch.write({ range: '7d', refresh: '5m' })).toEqual({ range: '7d', refresh: '5m' });
});
