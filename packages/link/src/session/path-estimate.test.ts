import { expect, test } from 'vitest';
import { BulkDemand } from './path-estimate.ts';

/** How often bulk that is sent at these times, in milliseconds, asks for a connection. */
function count(times: number[], shortestMs: number | undefined): number {
  let told = 0;
  const demand = new BulkDemand(() => {
    told += 1;
  });
  for (const time of times) demand.note(time, shortestMs);
  return told;
}
const every = (stepMs: number, untilMs: number) =>
  Array.from({ length: Math.floor(untilMs / stepMs) + 1 }, (_, index) => index * stepMs);

test.each([
  ['bulk of two seconds on a long line asks', every(100, 2_000), 40, 1],
  ['bulk of less than two seconds does not ask', every(100, 1_900), 600, 0],
  ['bulk on a short line does not ask', every(100, 60_000), 39, 0],
  ['bulk on a line whose round trip nobody knows does not ask', every(100, 60_000), undefined, 0],
  ['bulk with a pause of more than three seconds begins anew', [...every(100, 1_500), 4_600, 5_000], 600, 0],
  ['bulk that a full line held up for two seconds asks', [...every(100, 500), 2_500], 600, 1],
  ['bulk that lasts asks again every ten seconds', every(100, 25_000), 600, 3],
])('%s for a connection', (_what, times, shortestMs, expected) => {
  expect(count(times, shortestMs)).toBe(expected);
});
