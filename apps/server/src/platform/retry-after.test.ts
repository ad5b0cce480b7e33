import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = new Date('2026-11-27T12:00:00Z');

it.each([
  ['0', '2026-11-27T12:00:00.000Z'],
  ['90', '2026-11-27T12:01:30.000Z'],
  ['Fri, 27 Nov 2026 13:00:00 GMT', '2026-11-27T13:00:00.000Z'],
  ['99999999999999999999', '2058-08-05T13:46:40.000Z'],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s is read as %s', (value, expected) => {
  expect(readRetryAfter(value, now)?.toISOString()).toBe(expected);
});
