import { TestClock } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import type { Traffic } from '../devices/index.ts';
import { createTrafficCounter } from './traffic-counter.ts';

function traffic(web: number): Traffic {
  return { web, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 1 };
}

const hour = 3_600_000;
/** Two minutes before a day begins. */
const evening = new Date('2026-11-21T23:58:00Z');

/** A counter whose devices move what the test says, and the statements that it would run. */
function createFixture() {
  const clock = new TestClock(evening);
  const written: { bytes: Record<string, number>; at: string }[] = [];
  let moved = new Map<string, Traffic>();
  let closed = Promise.resolve();
  let failures = 0;
  const counter = createTrafficCounter(
    { clock, log: { error: () => {} } as never },
    {
      links: {
        takeTraffic() {
          const taken = moved;
          moved = new Map();
          return taken;
        },
        whenAllClosed: () => closed,
      },
      repository: {
        async add(batch, at) {
          if (failures > 0) {
            failures -= 1;
            throw new Error('no database');
          }
          const bytes = Object.fromEntries([...batch].map(([id, each]) => [id, each.web]));
          written.push({ bytes, at: at.toISOString() });
        },
        forgetMonthsBefore: async () => {},
      },
      intervalMs: hour,
    },
  );
  return {
    clock,
    counter,
    written,
    move: (id: string, web: number) => moved.set(id, traffic(web)),
    holdClosing(promise: Promise<void>) {
      closed = promise;
    },
    fail(count: number) {
      failures = count;
    },
  };
}

it('a stop writes down what links carried until their very end', async () => {
  const { counter, move, holdClosing, written } = createFixture();
  move('one', 10);
  holdClosing(Promise.resolve().then(() => void move('two', 20)));
  await counter.stop();
  expect(written.map(({ bytes }) => bytes)).toEqual([{ one: 10, two: 20 }]);
});

it('what could not be written down is written with what comes after it', async () => {
  const { counter, move, fail, written } = createFixture();
  fail(1);
  move('one', 10);
  await counter.stop();
  expect(written).toEqual([]);
  move('one', 5);
  move('two', 1);
  await counter.stop();
  expect(written.map(({ bytes }) => bytes)).toEqual([{ one: 15, two: 1 }]);
});

it('bytes belong to the day on which their interval began', async () => {
  const { clock, counter, move, written } = createFixture();
  move('one', 10);
  clock.advance(2 * 60_000);
  await counter.stop();
  move('one', 20);
  clock.advance(60_000);
  await counter.stop();
  expect(written).toEqual([
    { bytes: { one: 10 }, at: '2026-11-21T23:58:00.000Z' },
    { bytes: { one: 20 }, at: '2026-11-22T00:00:00.000Z' },
  ]);
});
