import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RunningProcess } from './running-process.ts';
import { startStopwatch } from './stopwatch.ts';

test('a stopwatch counts what its process sleeps, and what it computes', async () => {
  const asleep = startStopwatch();
  await delay(300);
  expect(asleep()).toBeGreaterThan(250);

  const awake = startStopwatch();
  const before = process.cpuUsage();
  const spent = () => (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1_000;
  while (spent() < 300);
  // Other threads of the process have computed some of it.
  expect(awake()).toBeGreaterThan(200);
});

test.skipIf(process.platform !== 'linux')(
  'a stopwatch leaves out, of a process among four on one processor, what the others have (Linux)',
  async () => {
    const processor =
      /Cpus_allowed_list:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    const run = () =>
      new RunningProcess({
        name: 'busy',
        command: 'taskset',
        args: ['-c', processor, 'sh', '-c', 'echo busy; while :; do :; done'],
      });
    await using one = run();
    await using two = run();
    await using three = run();
    await using four = run();
    for (const busy of [one, two, three, four]) await busy.waitForLine(/busy/);
    const [mine, ofOne] = [startStopwatch(), startStopwatch(one)];
    await delay(1_000);
    // A quarter of it, and a little for the slices of a scheduler.
    expect(ofOne()).toBeLessThan(mine() / 2);
  },
);

test('a stopwatch counts all the time of a process that has ended', async () => {
  const short = new RunningProcess({ name: 'short', command: 'true', args: [] });
  const elapsed = startStopwatch({ pid: short.pid });
  // Of this process alone, which may have been held up itself.
  const own = startStopwatch();
  await short.exited;
  await delay(100);
  const least = own();
  expect(elapsed()).toBeGreaterThanOrEqual(least);
});
