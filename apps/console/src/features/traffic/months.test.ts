import { expect, it } from 'vitest';
import { listDays, monthOf, shiftMonth } from './months.ts';

it('a month is that of UTC, wherever the browser is', () => {
  expect(monthOf(Date.parse('2026-11-30T23:59:59Z'))).toBe('2026-11');
  expect(monthOf(Date.parse('2026-12-01T00:30:00+02:00'))).toBe('2026-11');
});

it('months follow each other over the end of a year', () => {
  expect(shiftMonth('2026-12', 1)).toBe('2027-01');
  expect(shiftMonth('2026-01', -1)).toBe('2025-12');
  expect(shiftMonth('2026-11', -12)).toBe('2025-11');
});

it('a month that is past has all of its days', () => {
  const whole = { since: Date.parse('2020-01-01T00:00:00Z'), until: Date.parse('2030-01-01T00:00:00Z') };
  expect(listDays('2026-11', { ...whole, counted: [] })).toHaveLength(30);
  expect(listDays('2024-02', { ...whole, counted: [] }).at(-1)).toBe('2024-02-29');
  expect(listDays('2026-02', { ...whole, counted: ['2026-02-03'] }).at(-1)).toBe('2026-02-28');
});

it('a month has no days before its controller was added and none to come', () => {
  const [since, until] = [Date.parse('2026-11-20T23:00:00Z'), Date.parse('2026-11-22T01:00:00Z')];
  const listed = ['2026-11-20', '2026-11-21', '2026-11-22'];
  expect(listDays('2026-11', { since, until, counted: ['2026-11-21'] })).toEqual(listed);
  expect(listDays('2026-12', { since, until, counted: [] })).toEqual([]);
  // By a browser whose clock is a day behind.
  expect(listDays('2026-11', { since, until, counted: ['2026-11-23'] })).toEqual([...listed, '2026-11-23']);
});
