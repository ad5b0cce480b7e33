import { describe, expect, it } from 'vitest';
import { formatSince } from './since.ts';

const now = new Date(2025, 10, 21, 15, 0).getTime();
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

describe('since when', () => {
  it.each([
    ['ru', at(2025, 10, 21, 12, 40), '12:40'],
    ['en', at(2025, 10, 21, 9, 5), '09:05'],
    ['ru', at(2025, 10, 20, 12, 40), '20 ноября, 12:40'],
    ['en', at(2025, 10, 20, 12, 40), '20 Nov, 12:40'],
    ['ru', at(2024, 10, 20, 12, 40), '20 ноября 2024 г., 12:40'],
    ['en', at(2024, 10, 20, 12, 40), '20 Nov 2024, 12:40'],
  ] as const)('%s: %s reads %s', (locale, time, text) => {
    expect(formatSince(time, locale, now)).toBe(text);
  });
});
