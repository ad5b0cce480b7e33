import { expect, test } from 'vitest';
import { formatBytes, formatDate, formatNumber } from './format.ts';

test('dates and numbers follow the language', () => {
  const noon = new Date(2026, 2, 7, 12, 40);
  expect(formatDate(noon, 'ru')).toMatch(/^7 мар\. 2026.*12:40$/);
  expect(formatDate(noon, 'en')).toMatch(/^7 Mar 2026, 12:40$/);
  expect(formatNumber(98765.4, 'ru')).toMatch(/^98\s765,4$/);
  expect(formatNumber(98765.4, 'en')).toBe('98,765.4');
});

test('bytes are written in the unit in which people think of them, on one line with it', () => {
  expect([0, 1023, 1024, 1536, 5 * 1024 ** 3].map((bytes) => formatBytes(bytes, 'en'))).toEqual([
    '0\u00a0B',
    '1,023\u00a0B',
    '1\u00a0kB',
    '1.5\u00a0kB',
    '5\u00a0GB',
  ]);
  expect(formatBytes(2.5 * 1024 ** 2, 'ru')).toBe('2,5\u00a0МБ');
  expect(formatBytes(360, 'ru')).toBe('360\u00a0Б');
});
