import { expect, it } from 'vitest';
import { formatText, isLocale, negotiateLocale } from './locale.ts';

it.each([
  [undefined, 'ru'],
  ['', 'ru'],
  ['en', 'en'],
  ['EN', 'en'],
  ['en-GB', 'en'],
  ['ru-RU,ru;q=0.9,en-US;q=0.8,en;q=0.7', 'ru'],
  ['en-US,en;q=0.9,ru;q=0.8', 'en'],
  ['ru;q=0.5, en;q=0.9', 'en'],
  ['en;q=0.5,ru', 'ru'],
  ['de,en;q=0.3', 'en'],
  ['de', 'ru'],
  ['*', 'ru'],
  ['en;q=0.5,ru;q=0.5', 'en'],
  ['ru; q=0.5 , en; level=1; q=0.9', 'en'],
  ['en;q=0', 'ru'],
  ['ru;q=0,en;q=0.1', 'en'],
  ['en;q=x', 'ru'],
  ['en;q=', 'ru'],
  ['en;q=-1', 'ru'],
  [',,;;q=,', 'ru'],
  ['english', 'ru'],
  ['en_US', 'ru'],
  [`${'xx,'.repeat(10_000)}en`, 'ru'],
])('answers %j in %s', (header, locale) => {
  expect(negotiateLocale(header)).toBe(locale);
});

it('knows its own languages only', () => {
  expect(['ru', 'en', 'RU', 'de', '', null, undefined, 'constructor'].map(isLocale)).toEqual([
    true,
    true,
    ...Array<boolean>(6).fill(false),
  ]);
});

it('a text is filled with what is there: nothing and none are values, and a form that is missing is empty', () => {
  const text = { ru: '{a}, {b}: {n:раз|раза|раз}', en: '{a}, {b}: {n:time|times}' };
  expect(formatText(text, 'ru', { a: 0, b: '', n: 2 })).toBe('0, : раза');
  expect(formatText(text, 'en', { a: 'x', n: 1 })).toBe('x, {b}: time');
  expect(formatText(text, 'ru')).toBe('{a}, {b}: {n:раз|раза|раз}');
  expect(formatText({ ru: '{n:раз}!', en: '' }, 'ru', { n: 3 })).toBe('!');
});
