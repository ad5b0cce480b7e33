import { expect, test } from 'vitest';
import { Shaper } from './shaper.ts';

const never = () => 1;
// 8 kbit/s are a byte a millisecond.
const way = { kilobits: 8, queueBytes: 3000, delayMs: 100, lossShare: 0, random: never };

test('a packet arrives after the time that its bytes take and the delay of the line', () => {
  const shaper = new Shaper(way);
  expect(shaper.take(1000, 0)).toBe(1100);
});

test('a packet waits until those before it are sent', () => {
  const shaper = new Shaper(way);
  shaper.take(1000, 0);
  expect(shaper.take(500, 200)).toBe(1600);
  expect(shaper.getQueued(1000)).toBe(500);
});

test('a line that had nothing to do saves nothing up', () => {
  const shaper = new Shaper(way);
  shaper.take(1000, 0);
  expect(shaper.take(1000, 5000)).toBe(6100);
});

test('a full queue drops what comes, and takes again when it has emptied', () => {
  const shaper = new Shaper(way);
  for (const _ of [1, 2, 3]) shaper.take(1000, 0);
  expect(shaper.take(1, 0)).toBeUndefined();
  expect(shaper.take(1000, 1000)).toBe(4100);
  expect(shaper).toMatchObject({ dropped: 1, delivered: 4000 });
});

test('a lost packet never arrives and has taken its time of the line', () => {
  const dice = [0.001, 0.5];
  const shaper = new Shaper({ ...way, lossShare: 0.01, random: () => dice.shift() ?? 1 });
  expect(shaper.take(1000, 0)).toBeUndefined();
  expect(shaper.take(1000, 0)).toBe(2100);
  expect(shaper).toMatchObject({ lost: 1, delivered: 1000 });
});
