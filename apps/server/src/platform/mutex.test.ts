import { expect, it } from 'vitest';
import { createKeyedMutex } from './mutex.ts';

/** Work that ends when it is told to. */
function createWork() {
  let resolve: (value: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((...ends) => {
    [resolve, reject] = ends;
  });
  return { work: () => promise, resolve, reject };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs one work of a key at a time, in their order, and those of other keys beside', async () => {
  const mutex = createKeyedMutex();
  const started: string[] = [];
  const works = ['a1', 'a2', 'b1'].map((name) => {
    const { work, resolve } = createWork();
    const start = () => {
      started.push(name);
      return work();
    };
    return { end: () => resolve(name), result: mutex.runExclusive(name.slice(0, 1), start) };
  });
  await settle();
  expect(started).toEqual(['a1', 'b1']);
  works[0]?.end();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  for (const { end } of works) end();
  expect(await Promise.all(works.map(({ result }) => result))).toEqual(['a1', 'a2', 'b1']);
});

it('goes on after a work that failed, and fails that one alone', async () => {
  const mutex = createKeyedMutex();
  const first = createWork();
  const results = Promise.allSettled([
    mutex.runExclusive('a', first.work),
    mutex.runExclusive('a', async () => 'second'),
  ]);
  first.reject(new Error('first'));
  expect(await results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'second' }]);
  expect(await mutex.runExclusive('a', async () => 'third')).toBe('third');
});
