import { expect, it, vi } from 'vitest';
import { createLog } from './log.ts';
import { createStrangerLimit, type StrangerBounds } from './stranger-limit.ts';

const log = createLog('silent');

function createLimit(bounds: StrangerBounds) {
  const limit = createStrangerLimit(bounds, { listener: 'PORT', log });
  const cut: string[] = [];
  return { cut, acquire: (address: string) => limit.acquire(address, () => cut.push(address)) };
}

it('lets each network have so many strangers, and once more each that was released', () => {
  const { acquire } = createLimit({ perNetwork: 2, inTotal: 10 });
  const first = acquire('192.0.2.1');
  expect(acquire('::ffff:192.0.2.1')).toBeTypeOf('function');
  expect(acquire('192.0.2.1')).toBeUndefined();
  expect(acquire('192.0.2.2')).toBeTypeOf('function');
  first?.();
  first?.();
  expect(acquire('192.0.2.1')).toBeTypeOf('function');
  expect(acquire('192.0.2.1')).toBeUndefined();
});

it('takes a /64 of IPv6 for one network', () => {
  const { acquire } = createLimit({ perNetwork: 1, inTotal: 10 });
  expect(acquire('2001:db8:0:1::1')).toBeTypeOf('function');
  expect(acquire('2001:db8:0:1::2')).toBeUndefined();
  expect(acquire('2001:db8:0:2::1')).toBeTypeOf('function');
});

it('the site with most strangers makes room for one with fewer where all room is taken', () => {
  const { acquire, cut } = createLimit({ perNetwork: 2, inTotal: 3 });
  // Each a network of its own, and all of them a site's.
  for (const network of [1, 2, 3]) acquire(`2001:db8:0:${network}::1`);
  expect(acquire('192.0.2.1')).toBeTypeOf('function');
  expect(cut).toEqual(['2001:db8:0:1::1']);
  expect(acquire('2001:db8:0:4::1')).toBeUndefined();
  expect(acquire('198.51.100.1')).toBeTypeOf('function');
  expect(cut).toEqual(['2001:db8:0:1::1', '2001:db8:0:2::1']);
  // One of each by now: nobody has more than the newcomer would have.
  expect(acquire('203.0.113.1')).toBeUndefined();
});

it('the address with most strangers of a site makes room for one with fewer of the same site', () => {
  const { acquire, cut } = createLimit({ perNetwork: 3, inTotal: 4 });
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) acquire(address);
  expect(acquire('192.0.2.3')).toBeTypeOf('function');
  expect(cut).toEqual(['192.0.2.1']);
  // Two, one and one: nobody has more than the newcomer would have.
  expect(acquire('192.0.2.2')).toBeUndefined();
  expect(cut).toEqual(['192.0.2.1']);
});

it('the oldest makes room for the newest in its network and in all where the newest goes first', () => {
  const { acquire, cut } = createLimit({ perNetwork: 2, inTotal: 3, patienceMs: 0 });
  for (const address of ['192.0.2.2', '192.0.2.1', '192.0.2.1', '192.0.2.1']) {
    expect(acquire(address)).toBeTypeOf('function');
  }
  expect(cut).toEqual(['192.0.2.1']);
  expect(acquire('198.51.100.1')).toBeTypeOf('function');
  expect(cut).toEqual(['192.0.2.1', '192.0.2.2']);
});

it('the oldest that had its time makes room where all hold alike, and in a network that has its share', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { acquire, cut } = createLimit({ perNetwork: 2, inTotal: 4, patienceMs: 5_000 });
    for (const address of ['192.0.2.1', '192.0.2.1', '198.51.100.1', '198.51.100.1']) acquire(address);
    vi.advanceTimersByTime(4_999);
    expect(acquire('192.0.2.1')).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(acquire('192.0.2.1')).toBeTypeOf('function');
    expect(cut).toEqual(['192.0.2.1']);

    // Each of a site of its own: nobody has more than a newcomer would have.
    const crowd = createLimit({ perNetwork: 2, inTotal: 3, patienceMs: 5_000 });
    for (const site of [1, 2, 3]) crowd.acquire(`2001:db8:${site}::1`);
    expect(crowd.acquire('2001:db8:4::1')).toBeUndefined();
    vi.advanceTimersByTime(5_000);
    expect(crowd.acquire('2001:db8:4::1')).toBeTypeOf('function');
    expect(crowd.cut).toEqual(['2001:db8:1::1']);
  } finally {
    vi.useRealTimers();
  }
});

it('nine addresses that hold all room of a port keep nobody out, whatever site these and the newcomer are of', () => {
  const attackers = [
    (n: number) => `192.0.${n}.1`,
    (n: number) => `192.0.2.${n}`,
    (n: number) => `2001:db8:0:${n}::1`,
  ];
  for (const addressOf of attackers) {
    const { acquire } = createLimit({ perNetwork: 60, inTotal: 500 });
    for (let n = 1; n <= 9; n += 1) for (let count = 0; count < 60; count += 1) acquire(addressOf(n));
    for (const newcomer of ['203.0.113.1', '192.0.2.200', '2001:db8:0:200::1']) {
      expect(acquire(newcomer)).toBeTypeOf('function');
    }
  }
});

it('one that made room has nothing left to release', () => {
  const { acquire, cut } = createLimit({ perNetwork: 2, inTotal: 10, patienceMs: 0 });
  const first = acquire('192.0.2.1');
  acquire('192.0.2.1');
  acquire('192.0.2.1');
  first?.();
  acquire('192.0.2.1');
  expect(cut).toHaveLength(2);
});

it('the log tells of closed strangers once a minute, with the bound and how many there were', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const warn = vi.spyOn(log, 'warn');
    const { acquire } = createLimit({ perNetwork: 1, inTotal: 10 });
    for (let count = 0; count < 4; count++) acquire('192.0.2.1');
    expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
      { listener: 'PORT', reason: 'network', network: '192.0.2.1', closed: 1 },
    ]);
    vi.advanceTimersByTime(60_000);
    acquire('192.0.2.1');
    expect(warn.mock.lastCall?.[0]).toMatchObject({ closed: 3 });
  } finally {
    vi.useRealTimers();
  }
});
