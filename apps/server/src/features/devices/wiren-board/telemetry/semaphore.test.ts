import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('so many are let in at a time, in the order of those who still wait', async () => {
  const acquire = createSemaphore(2);
  const begun: string[] = [];
  const take = (name: string, signal = new AbortController().signal) => {
    const turn = acquire(signal);
    void turn.then(() => begun.push(name));
    return turn;
  };
  const [first] = await Promise.all([take('first'), take('second')]);
  const leaving = new AbortController();
  void take('third', leaving.signal);
  void take('fourth');
  void take('fifth');
  await settled();
  expect(begun).toEqual(['first', 'second']);
  leaving.abort();
  first();
  await settled();
  expect(begun).toEqual(['first', 'second', 'third', 'fourth']);
  // What was never held is not released.
  (await take('gone', AbortSignal.abort()))();
  await settled();
  expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'gone']);
});
