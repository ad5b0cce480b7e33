import { expect, test } from 'vitest';
import { StreamPace } from './stream-route.ts';

const chunk = 10_000;

/** Whether a stream that sends 70 kB, with so many milliseconds between its pieces, is bulk at the end. */
function isBulkAfter(stepMs: number, hasMore: boolean): boolean {
  const pace = new StreamPace();
  for (let piece = 0; piece < 7; piece += 1) pace.note(chunk, piece * stepMs, hasMore);
  return pace.isBulk;
}

test.each([
  ['a stream that sends much at a stretch is bulk', 100, false, true],
  ['a stream that says something every other second is none', 2_000, false, false],
  ['a stream whose bytes wait for a slow line is bulk all the same', 2_000, true, true],
])('%s', (_what, stepMs, hasMore, expected) => {
  expect(isBulkAfter(stepMs, hasMore)).toBe(expected);
});
