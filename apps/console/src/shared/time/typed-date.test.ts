import { expect, it } from 'vitest';
import { endOfDate } from './dates.ts';
import { readDate, writeDate } from './typed-date.ts';

it.each([
  ['27.11.2026', '2026-11-27'],
  [' 7.3.2026 ', '2026-03-07'],
  ['27/11/2026', '2026-11-27'],
  ['27.11.26', '2026-11-27'],
  ['2026-11-27', '2026-11-27'],
  ['27 ноября 2026', '2026-11-27'],
  ['27 нояб. 2026 г.', '2026-11-27'],
  ['1 май 2026', '2026-05-01'],
  ['1 мая 2026 года', '2026-05-01'],
  ['27 Nov 2026', '2026-11-27'],
  ['5 Sept 2026', '2026-09-05'],
  ['November 27, 2026', '2026-11-27'],
  ['29.02.2028', '2028-02-29'],
  ['27.11.2026 14:30', '2026-11-27T14:30'],
  ['27 Nov 2026, 9:05', '2026-11-27T09:05'],
  ['2026-11-27T14:30', '2026-11-27T14:30'],
  ['2026-11-27 14:30:59', '2026-11-27T14:30'],
])('%s is read as %s', (typed, date) => {
  expect(readDate(typed)).toBe(date);
});

it.each([
  '',
  'tomorrow',
  '31.11.2026',
  '29.02.2026',
  // Americans write it; a day that comes first is no month of theirs.
  '11/27/2026',
  '0.1.2026',
  '1.1.0026',
  '27.11.2026 24:00',
  '27.11.2026 14:60',
  '27.11.2026 14',
  '27 brumaire 2026',
  '27 no 2026',
  '2026-11-27T25:00Z',
  `27.11.2026${' '.repeat(60)}14:30`,
])('%s is no date', (typed) => {
  expect(readDate(typed)).toBeUndefined();
});

it('a moment with a zone is read by the clock of the reader', () => {
  const read = readDate('2026-11-27T14:30:15.5+03:00') ?? '';
  expect(new Date(read).toISOString()).toBe('2026-11-27T11:30:00.000Z');
  expect(readDate('2026-11-27T11:30:00Z')).toBe(read);
});

it('a year of two digits may be one of four that is not typed whole', () => {
  expect(readDate('27.11.20', { isTyping: true })).toBeUndefined();
  expect(readDate('27.11.2026', { isTyping: true })).toBe('2026-11-27');
});

it.each(['2026-11-27', '2026-05-01', '2026-09-05T08:05'])('%s is read as it is written', (date) => {
  expect(readDate(writeDate(date, 'ru'))).toBe(date);
  expect(readDate(writeDate(date, 'en'))).toBe(date);
});

it('a date is written as people of the language type it', () => {
  expect(writeDate('2026-11-27T14:30', 'ru')).toBe('27.11.2026 14:30');
  expect(writeDate('2026-11-27T14:30', 'en')).toBe('27 Nov 2026 14:30');
  expect(writeDate('', 'ru')).toBe('');
});

it('a day ends with its last second, a minute is itself', () => {
  expect(endOfDate('2026-11-27')).toEqual(new Date(2026, 10, 27, 23, 59, 59));
  expect(endOfDate('2026-11-27T14:30')).toEqual(new Date(2026, 10, 27, 14, 30));
  const unreal = ['2026-13-01', '2026-02-31', '2026-11-27T24:00', '2026-11-27T14:60'];
  for (const none of ['', '27.11.2026', '2026-11-27T14:30Z', ...unreal])
    expect(endOfDate(none)).toBeUndefined();
});
