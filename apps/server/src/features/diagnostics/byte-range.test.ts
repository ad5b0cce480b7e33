import { expect, it } from 'vitest';
import { parseRange } from './byte-range.ts';

it.each([
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'none'],
  ['bytes=-0', 'none'],
  [undefined, undefined],
  ['bytes=-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=0-1,5-6', undefined],
  ['lines=0-1', undefined],
  ['bytes=0x1-2', undefined],
  [`bytes=${'9'.repeat(40)}-`, undefined],
])('%s of 100 bytes', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});
