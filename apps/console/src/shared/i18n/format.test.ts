import { expect, test } from 'vitest';
import { formatDate, formatNumber } from './format.ts';

test('dates and numbers follow the language', () => {
  const noon = new Date(2026, 2, 7, 12, 40);
  expect(formatDate(noon, 'ru')).toMatch(/^7 мар\. 2026.*12:40$/);
  expect(formatDate(noon, 'en')).toMatch(/^7 Mar 2026, 12:40$/);
  expect(formatNumber(98765.4, 'ru')).toMatch(/^98\s765,4$/);
  expect(formatNumber(98765.4, 'en')).toBe('98,765.4');
});
