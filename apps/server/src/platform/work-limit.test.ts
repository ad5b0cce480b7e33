import { expect, it } from 'vitest';
import { createWorkLimit } from './work-limit.ts';

/** Work that ends when it is told to, and what of it runs. */
function createWorks() {
  const running = new Map<number, { end: () => void; fail: () => void }>();
  const start = (number: number) => () =>
    new Promise<number>((resolve, reject) => {
      const remove = () => running.delete(number);
      running.set(number, {
        end: () => remove() && resolve(number),
        fail: () => remove() && reject(new Error('failed')),
      });
    });
  return { running, start };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs so many at once, and the others in their order', async () => {
  const limit = createWorkLimit({ parallel: 2, waiting: 10 });
  const { running, start } = createWorks();
  const results = [1, 2, 3, 4, 5].map((number) => limit(start(number)));
  expect([...running.keys()]).toEqual([1, 2]);
  running.get(2)?.end();
  await settle();
  expect([...running.keys()]).toEqual([1, 3]);
  running.get(1)?.end();
  running.get(3)?.end();
  await settle();
  expect([...running.keys()]).toEqual([4, 5]);
  for (const { end } of running.values()) end();
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
});

it('refuses who would wait behind too many, and takes the next again once there is room', async () => {
  const limit = createWorkLimit({ parallel: 1, waiting: 1 });
  const { running, start } = createWorks();
  const first = limit(start(1));
  const second = limit(start(2));
  await expect(limit(start(3))).rejects.toMatchObject({ code: 'service_unavailable' });
  running.get(1)?.end();
  await first;
  const fourth = limit(start(4));
  await settle();
  running.get(2)?.end();
  await second;
  await settle();
  running.get(4)?.end();
  expect(await fourth).toBe(4);
});

it('gives a place back when the work fails', async () => {
  const limit = createWorkLimit({ parallel: 1, waiting: 1 });
  const { running, start } = createWorks();
  const first = limit(start(1));
  const second = limit(start(2));
  running.get(1)?.fail();
  await expect(first).rejects.toThrow('failed');
  await settle();
  running.get(2)?.end();
  expect(await second).toBe(2);
  const third = limit(start(3));
  expect([...running.keys()]).toEqual([3]);
  running.get(3)?.end();
  expect(await third).toBe(3);
});
