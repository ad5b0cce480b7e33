import { expect, it } from 'vitest';
import { daysOf, monthOf, shiftMonth } from './months.ts';

it('a month is that of UTC, wherever the browser is', () => {
  expect(monthOf(Date.parse('2026-11-30T23:59:59Z'))).toBe('2026-11');
  expect(monthOf(Date.parse('2026-12-01T00:30:00+02:00'))).toBe('2026-11');
});

it('months follow each other over the end of a year', () => {
  expect(shiftMonth('2026-12', 1)).toBe('2027-01');
  expect(shiftMonth('2026-01', -1)).toBe('2025-12');
  expect(shiftMonth('2026-11', -12)).toBe('2025-11');
});

it('a month has all of its days', () => {
  expect(daysOf('2026-11')).toHaveLength(30);
  expect(daysOf('2024-02').at(-1)).toBe('2024-02-29');
  expect(daysOf('2026-02').at(-1)).toBe('2026-02-28');
});
