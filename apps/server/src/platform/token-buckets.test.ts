import { TestClock } from '@pult/testkit/in-process';
import { beforeEach, expect, it } from 'vitest';
import { createRequestBudget } from './request-budget.ts';

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});

it('lets a burst in, then so many each second', () => {
  const budget = createRequestBudget(clock, { burst: 3, perSecond: 2 });
  const take = () => budget.take('192.0.2.1') === undefined;
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
  clock.advance(1000);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  clock.advance(3600_000);
  expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
});

it('says how long to wait, after which one gets in', () => {
  const budget = createRequestBudget(clock, { burst: 1, perSecond: 0.1 });
  budget.take('192.0.2.1');
  expect(budget.take('192.0.2.1')).toEqual({ waitSeconds: 10 });
  clock.advance(4000);
  expect(budget.take('192.0.2.1')).toEqual({ waitSeconds: 6 });
  clock.advance(6000);
  expect(budget.take('192.0.2.1')).toBeUndefined();
});

it('the budget does not starve those who keep asking: a refused request takes nothing', () => {
  const budget = createRequestBudget(clock, { burst: 1, perSecond: 1 });
  let admitted = 0;
  for (let asked = 0; asked < 100; asked += 1) {
    if (budget.take('192.0.2.1') === undefined) admitted += 1;
    clock.advance(200);
  }
  expect(admitted).toBe(20);
});

it('holds one address apart from another, and a network of IPv6 together', () => {
  const budget = createRequestBudget(clock, { burst: 1, perSecond: 1 });
  expect(budget.take('192.0.2.1')).toBeUndefined();
  expect(budget.take('192.0.2.2')).toBeUndefined();
  expect(budget.take('2001:db8::1')).toBeUndefined();
  expect(budget.take('2001:db8::2')).toBeDefined();
});

it('remembers a bounded number of clients, the latest', () => {
  const budget = createRequestBudget(clock, { burst: 1, perSecond: 1, maxClients: 2 });
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) budget.take(address);
  expect(budget.take('192.0.2.3')).toBeDefined();
  expect(budget.take('192.0.2.2')).toBeDefined();
  expect(budget.take('192.0.2.1')).toBeUndefined();
});

it('survives a clock that goes backwards', () => {
  const budget = createRequestBudget(clock, { burst: 2, perSecond: 1 });
  budget.take('192.0.2.1');
  clock.advance(-3600_000);
  expect(budget.take('192.0.2.1')).toBeUndefined();
  expect(budget.take('192.0.2.1')).toEqual({ waitSeconds: 1 });
});
