import { describe, expect, it } from 'vitest';
import { formatAgo } from './relative-time.ts';

const now = Date.parse('2025-11-21T12:00:00Z');

describe('how long ago', () => {
  it.each([
    ['en', '2025-11-21T11:55:10Z', '4 min ago'],
    ['ru', '2025-11-21T11:55:10Z', '4 мин. назад'],
    ['en', '2025-11-21T11:59:00Z', '1 min ago'],
    ['en', '2025-11-21T09:59:00Z', '2 hr ago'],
    ['ru', '2025-11-19T12:00:00Z', '2 дн. назад'],
    ['en', '2023-11-20T12:00:00Z', '2 yr ago'],
  ] as const)('%s: %s is %s', (locale, time, text) => {
    expect(formatAgo(time, locale, now)?.replace('\u00a0', ' ')).toBe(text);
  });

  it('how long ago is now within the last minute, and for a device clock that runs ahead', () => {
    expect(formatAgo('2025-11-21T11:59:30Z', 'en', now)).toBeUndefined();
    expect(formatAgo('2025-11-21T13:00:00Z', 'en', now)).toBeUndefined();
  });
});
