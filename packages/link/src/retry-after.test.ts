import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

test.each([
  ['0', 0],
  ['7', 7000],
  ['86400', 600_000],
  ['999999999', 600_000],
  [undefined, undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['Sat, 21 Nov 2026 14:00:00 GMT', undefined],
])('the header %j is believed as %s ms', (header, expected) => {
  expect(parseRetryAfter(header)).toBe(expected);
});
