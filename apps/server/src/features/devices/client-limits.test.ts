import { TestClock } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { createClientLimits } from './client-limits.ts';

const createLimits = (isFull = false) =>
  createClientLimits(new TestClock(), { isFull: () => isFull, issueRetryAfter: () => 7 });
const busy = expect.objectContaining({ code: 'service_unavailable', values: { seconds: 7 } });

it('a device with a challenge finds room where newcomers find none and are told when to come back', () => {
  const limits = createLimits();
  for (let site = 0; site < 300; site += 1) limits.enterQueue(`198.${site >> 8}.${site & 255}.1`);
  expect(limits.isFull()).toBe(true);
  expect(() => limits.enterQueue('192.0.2.1')).toThrow(busy);
  expect(limits.enterQueue('192.0.2.1', true)).toBeTypeOf('function');
  expect(limits.enterLogin('192.0.2.1')).toBeTypeOf('function');
});

it('nobody finds room where the whole queue is full', () => {
  const limits = createLimits(true);
  expect(limits.isFull()).toBe(true);
  expect(() => limits.enterQueue('192.0.2.1', true)).toThrow(busy);
  expect(() => limits.enterLogin('192.0.2.1')).toThrow(busy);
});
