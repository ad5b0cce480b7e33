import { expect, it } from 'vitest';
import { createPollIntervals } from './poll-interval.ts';

function countDevices(count: number) {
  let time = 0;
  const intervals = createPollIntervals(10, () => time);
  const ask = (devices: number) => {
    let last = 0;
    for (let device = 0; device < devices; device++) last = intervals.next(`device ${device}`, true);
    return last;
  };
  ask(count);
  return {
    ask,
    intervals,
    wait: (hours: number) => {
      time += hours * 3_600_000;
    },
  };
}

it('controllers ask as often as is set, and less often where they are many', () => {
  expect(countDevices(500).ask(1)).toBe(10);
  expect(countDevices(1000).ask(1)).toBe(20);
  expect(countDevices(10_000).ask(1)).toBe(200);
});

it('a controller that somebody waits for asks every 10 seconds, however many there are', () => {
  expect(countDevices(10_000).intervals.next('new', false)).toBe(10);
});

it('controllers that do not ask any more slow nobody down after two hours', () => {
  const { ask, wait } = countDevices(1000);
  wait(1);
  expect(ask(1)).toBe(20);
  wait(1);
  expect(ask(1)).toBe(10);
});
