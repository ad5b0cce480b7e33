import { expect, it } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

it('lets each user acquire so many, and once more each that was released', () => {
  const limit = createConcurrencyLimit(2);
  const first = limit.acquire('a');
  expect(limit.acquire('a')).toBeTypeOf('function');
  expect(limit.acquire('a')).toBeUndefined();
  expect(limit.acquire('b')).toBeTypeOf('function');
  first?.();
  first?.();
  expect(limit.acquire('a')).toBeTypeOf('function');
  expect(limit.acquire('a')).toBeUndefined();
});
