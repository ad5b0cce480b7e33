import { afterEach, expect, test, vi } from 'vitest';
import { formatMoment, labelTimes } from './time-axis.ts';
import { rangeNames, ranges, readWindow, timeSearch } from './time-search.ts';

afterEach(() => void vi.useRealTimers());

const hour = 3600_000;
const noon = new Date(2026, 0, 5, 12).getTime();

test('times under a chart have their day below the first one of each', () => {
  const evening = [noon + 10 * hour, noon + 11 * hour, noon + 12 * hour, noon + 13 * hour];
  expect(labelTimes(evening, hour, 'en')).toEqual(['22:00\n5 Jan', '23:00', '00:00\n6 Jan', '01:00']);
});

test('steps of a day and more are days alone, in the words of the locale', () => {
  expect(labelTimes([noon, noon + 24 * hour], 24 * hour, 'en')).toEqual(['5 Jan', '6 Jan']);
  expect(labelTimes([noon], 24 * hour, 'ru')).toEqual(['5 янв.']);
  expect(labelTimes([noon], 24 * hour - 1, 'en')).toEqual(['12:00\n5 Jan']);
});

test('a moment of a chart is told with its day', () => {
  expect(formatMoment(noon, 'en')).toBe('5 Jan, 12:00');
  expect(formatMoment(noon, 'ru')).toBe('5 янв., 12:00');
});

test('the period of charts ends at the next ten seconds, so that those asked for together show the same', () => {
  vi.useFakeTimers({ now: noon + 1 });
  expect(readWindow('1h')).toEqual({ start: noon + 10_000 - hour, stop: noon + 10_000 });
  vi.setSystemTime(noon + 9999);
  expect(readWindow('1h').stop).toBe(noon + 10_000);
  expect(rangeNames.map((name) => ranges[name] / hour)).toEqual([1, 6, 24, 168, 720]);
});

test('an address without a period shows the last day, renewed every minute', () => {
  expect(timeSearch.read({ range: 'ever' })).toEqual({ range: '24h', refresh: '1m' });
  expect(timeSearch.write({ range: '24h', refresh: '1m' })).toEqual({});
  expect(timeSearch.read({ range: '7d', refresh: 'off' })).toEqual({ range: '7d', refresh: 'off' });
});
