import { describe, expect, it } from 'vitest';
import { type AdmissionControl, createAdmissionControl } from './admission-control.ts';

/** Works that last until they are let go. */
function createWorks(admission: AdmissionControl) {
  const running: (() => void)[] = [];
  let begun = 0;
  const start = (count: number) =>
    Array.from({ length: count }, () =>
      admission.run(async () => {
        begun += 1;
        await new Promise<void>((resolve) => running.push(resolve));
      }),
    );
  return { start, running, begun: () => begun };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('runs a few works at a time, first come, first served', async () => {
  const admission = createAdmissionControl({ concurrent: 2 });
  const order: number[] = [];
  let most = 0;
  let active = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      admission.run(async () => {
        order.push(number);
        active += 1;
        most = Math.max(most, active);
        await settled();
        active -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number));
});

it('goes on after a work that fails', async () => {
  const admission = createAdmissionControl({ concurrent: 1 });
  const failing = admission.run(() => Promise.reject(new Error('no database')));
  const next = admission.run(async () => 'done');
  await expect(failing).rejects.toThrow('no database');
  expect(await next).toBe('done');
});

it('refuses all while twice as many wait as there may be newcomers', async () => {
  const admission = createAdmissionControl({ concurrent: 1, maxWaiting: 3 });
  const works = createWorks(admission);
  const done = works.start(6);
  expect(admission.isFull()).toBe(false);
  done.push(...works.start(1));
  expect(admission.isFull()).toBe(true);
  while (works.begun() < 7) {
    works.running.shift()?.();
    await settled();
  }
  expect(admission.isFull()).toBe(false);
  for (const end of works.running) end();
  await Promise.all(done);
});

it('tells those it refuses to retry one after the other, within a minute', () => {
  const admission = createAdmissionControl({ maxWaiting: 4, now: () => 0 });
  const asked = Array.from({ length: 25_000 }, () => admission.issueRetryAfter());
  expect(asked[0]).toBe(1);
  expect(asked.toSorted((a, b) => a - b)).toEqual(asked);
  // In a second as many as it can take.
  expect(Math.abs(asked.filter((seconds) => seconds === 10).length - 333)).toBeLessThanOrEqual(1);
  expect(asked.at(-1)).toBe(60);
});

describe('a batch', () => {
  it('a batch is asked for together while the work before is under way, and answered in order', async () => {
    const admission = createAdmissionControl({ concurrent: 1 });
    const batches: (readonly number[])[] = [];
    const double = admission.batch(async (keys: readonly number[]) => {
      batches.push(keys);
      await settled();
      return keys.map((key) => key * 2);
    });
    const first = double(1);
    await settled();
    const numbers = Array.from({ length: 250 }, (_, index) => index + 2);
    const others = numbers.map(double);
    expect(await first).toBe(2);
    expect(await Promise.all(others)).toEqual(numbers.map((number) => number * 2));
    expect(batches.map((keys) => keys.length)).toEqual([1, 100, 100, 50]);
    expect(await double(7)).toBe(14);
  });

  it('fails for those alone whose work failed', async () => {
    const admission = createAdmissionControl();
    let isBroken = true;
    const echo = admission.batch(async (keys: readonly string[]) => {
      if (isBroken) throw new Error('no database');
      return keys;
    });
    const failing = Promise.allSettled([echo('a'), echo('b')]);
    expect(await failing).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    isBroken = false;
    expect(await echo('c')).toBe('c');
  });

  it('counts as waiting', async () => {
    const admission = createAdmissionControl({ concurrent: 1, maxWaiting: 3 });
    const works = createWorks(admission);
    const [busy] = works.start(1);
    const echo = admission.batch(async (keys: readonly number[]) => keys);
    const asked = [1, 2, 3, 4, 5, 6].map(echo);
    expect(admission.isFull()).toBe(true);
    works.running.shift()?.();
    await busy;
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(admission.isFull()).toBe(false);
  });
});
