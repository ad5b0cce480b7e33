import { expect, it, vi } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-11-27T12:00:00Z');

it.each([
  ['0', '2026-11-27T12:00:00.000Z'],
  ['90', '2026-11-27T12:01:30.000Z'],
  ['Fri, 27 Nov 2026 13:00:00 GMT', '2026-11-27T13:00:00.000Z'],
  ['99999999999999999999', '2058-08-05T13:46:40.000Z'],
  ['1.2', '2026-11-27T12:00:02.000Z'],
  [' 90 ', '2026-11-27T12:01:30.000Z'],
  ['Friday, 27-Nov-26 13:00:00 GMT', '2026-11-27T13:00:00.000Z'],
  ['Fri Nov 27 13:00:00 2026', '2026-11-27T13:00:00.000Z'],
  ['Fri, 27 Nov 2026 16:00:00 +0300', '2026-11-27T13:00:00.000Z'],
  ['2026-11-27T13:00:00Z', '2026-11-27T13:00:00.000Z'],
  ['-5', undefined],
  ['120, 240', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s is read as %s', (value, expected) => {
  // Of the server's own zone nothing is to be seen.
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(readRetryAfter(value, now)?.toISOString()).toBe(expected);
});
