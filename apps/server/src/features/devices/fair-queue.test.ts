import { expect, it } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** As many as are let in, one of each address in turn. */
function fill(queue: FairQueue, addresses: string[]): number {
  let count = 0;
  let before: number;
  do {
    before = count;
    for (const address of addresses) if (queue.enter(address)) count += 1;
  } while (count > before);
  return count;
}

const others = ['198.51.100.3', '192.0.2.1', '2001:db8:1:3::1', '2001:db8:2::1'];

it('one address may have 250 wait, and as many again as have gone on', () => {
  const queue = createFairQueue(300);
  const release = queue.enter('198.51.100.1');
  expect(fill(queue, ['198.51.100.1'])).toBe(249);
  release?.();
  release?.();
  expect(fill(queue, ['198.51.100.1'])).toBe(1);
});

it.each([
  [['198.51.100.1', '198.51.100.2']],
  [['198.51.100.1', '203.0.113.1']],
  [['2001:db8:1:1::1', '2001:db8:1:2::1']],
])('a queue that two addresses fill has room for others, near them and elsewhere: %j', (pair) => {
  const queue = createFairQueue(300);
  expect(fill(queue, pair)).toBeGreaterThanOrEqual(250);
  for (const address of others) expect(queue.enter(address)).toBeTypeOf('function');
  expect(queue.isFull).toBe(false);
});

it.each([
  [
    'all networks of a site',
    Array.from({ length: 1_000 }, (_, network) => `2001:db8:1:${network.toString(16)}::1`),
  ],
  ['twenty sites', Array.from({ length: 20 }, (_, site) => `198.51.${site}.1`)],
])('a queue that %s fill has room for another site', (_, addresses) => {
  const queue = createFairQueue(300);
  fill(queue, addresses);
  expect(queue.enter('2001:db8:2::1')).toBeTypeOf('function');
  expect(queue.enter('192.0.2.1')).toBeTypeOf('function');
});

it('a queue that has one device of each site in every place is full, until one goes on', () => {
  const queue = createFairQueue(300);
  const release = queue.enter('192.0.2.1');
  expect(
    fill(
      queue,
      Array.from({ length: 400 }, (_, n) => `198.${n >> 8}.${n & 255}.1`),
    ),
  ).toBe(299);
  expect(queue.isFull).toBe(true);
  expect(queue.enter('203.0.113.1')).toBeUndefined();
  release?.();
  expect(queue.enter('203.0.113.1')).toBeTypeOf('function');
});
