import { TestClock } from '@pult/testkit/in-process';
import { beforeEach, expect, it } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});

it('lets a burst in, then so many each second', () => {
  const buckets = createTokenBuckets(clock, { burst: 3, perSecond: 2 });
  const take = () => buckets.take('192.0.2.1') === undefined;
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  clock.advance(1000);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  clock.advance(3600_000);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});

it('says how long to wait, after which one gets in', () => {
  const buckets = createTokenBuckets(clock, { burst: 1, perSecond: 0.1 });
  buckets.take('192.0.2.1');
  expect(buckets.take('192.0.2.1')).toEqual({ waitSeconds: 10 });
  clock.advance(4000);
  expect(buckets.take('192.0.2.1')).toEqual({ waitSeconds: 6 });
  clock.advance(6000);
  expect(buckets.take('192.0.2.1')).toBeUndefined();
});

it('a bucket does not starve those who keep asking: a refused request takes nothing', () => {
  const buckets = createTokenBuckets(clock, { burst: 1, perSecond: 1 });
  let admitted = 0;
  for (let asked = 0; asked < 100; asked += 1) {
    if (buckets.take('192.0.2.1') === undefined) admitted += 1;
    clock.advance(200);
  }
  expect(admitted).toBe(20);
});

it('holds one name apart from another', () => {
  const buckets = createTokenBuckets(clock, { burst: 1, perSecond: 1 });
  expect(buckets.take('192.0.2.1')).toBeUndefined();
  expect(buckets.take('192.0.2.2')).toBeUndefined();
  expect(buckets.take('192.0.2.1')).toBeDefined();
});

it('remembers a bounded number of names, the latest', () => {
  const buckets = createTokenBuckets(clock, { burst: 1, perSecond: 1 }, { maxBuckets: 2 });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) buckets.take(address);
  expect(buckets.take('192.0.2.3')).toBeDefined();
  expect(buckets.take('192.0.2.2')).toBeDefined();
  expect(buckets.take('192.0.2.1')).toBeUndefined();
});

it('survives a clock that goes backwards', () => {
  const buckets = createTokenBuckets(clock, { burst: 2, perSecond: 1 });
  buckets.take('192.0.2.1');
  clock.advance(-3600_000);
  expect(buckets.take('192.0.2.1')).toBeUndefined();
  expect(buckets.take('192.0.2.1')).toEqual({ waitSeconds: 1 });
});
