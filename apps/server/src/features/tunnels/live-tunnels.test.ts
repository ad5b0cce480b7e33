import type { TunnelEndReason } from '@pult/contract';
import { TestClock } from '@pult/testkit/in-process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { createId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { TunnelGrant } from './live-tunnels.repository.ts';
import { createLiveTunnels, type TunnelUse } from './live-tunnels.ts';
import type { TunnelRecord } from './records/tunnel-record.ts';
import { createTunnelRecords } from './records/tunnel-records.ts';
import type { TunnelLimits } from './tunnel-limits.ts';

type ListEnded = (names: string[]) => Promise<{ name: string; reason: TunnelEndReason }[]>;

function create(listEnded: ListEnded = async () => [], options: { limits?: Partial<TunnelLimits> } = {}) {
  const log = createLog('silent');
  const events = new Events(log);
  const clock = new TestClock();
  const saved = new Map<string, TunnelRecord>();
  const save = async (records: readonly TunnelRecord[]) => {
    for (const record of records) saved.set(record.id, structuredClone(record));
  };
  const linked = new Set(['device']);
  const live = createLiveTunnels({
    repository: {
      listEnded: (grants) => listEnded([...grants.keys()]),
      deleteTunnel: async () => {},
    },
    records: createTunnelRecords({ repository: { save }, clock, node: { id: 'here' }, log }),
    isLinked: (enrolmentId) => linked.has(enrolmentId),
    events,
    log,
    clock,
    ...(options.limits
      ? {
          limits: {
            perUser: 100,
            perUserOfController: 100,
            perController: 100,
            inAll: 100,
            ...options.limits,
          },
        }
      : {}),
  });
  /** What is written once the server has stopped. */
  const stop = async () => {
    await live.stop();
    return [...saved.values()];
  };
  return { live, events, clock, linked, stop };
}

function makeUse(
  changes: Partial<Omit<TunnelUse, 'grant'>> & { grant?: Partial<TunnelGrant> } = {},
): TunnelUse {
  const target = { controllerId: 'c', organizationId: 'o', enrolmentId: 'device', serialNumber: 'A1' };
  const ids = { userId: 'u', tunnelId: createId(), sessionId: 's', keyId: null };
  const grant = { ...ids, credentials: 'p', target, port: null, ...changes.grant };
  return { kind: 'terminal', address: '192.0.2.1', ...changes, grant };
}

const ended = (reason: TunnelEndReason) => async (names: string[]) => names.map((name) => ({ name, reason }));

afterEach(() => vi.useRealTimers());

describe('live tunnels', () => {
  it('live tunnels are looked up every second without any event: cut within 2 s with what is remembered for one', async () => {
    vi.useFakeTimers();
    const look = vi.fn(async (_names: string[]): ReturnType<ReturnType<typeof ended>> => []);
    const { live, stop } = create(look);
    const cuts: string[] = [];
    live.start();
    live.track(makeUse(), 'request', (reason) => cuts.push(reason));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(look).toHaveBeenCalledTimes(5);
    expect(cuts).toEqual([]);
    look.mockImplementation(ended('removed'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(cuts).toEqual(['access_ended']);
    expect((await stop()).map(({ end }) => end?.reason)).toEqual(['removed']);
  });

  it('live tunnels are forgotten when they close', () => {
    const { live } = create();
    const use = makeUse({ kind: 'http' });
    const first = live.track(use, 'request', () => {});
    const second = live.track(use, 'request', () => {});
    expect(live.size).toBe(2);
    first.end();
    first.end();
    second.end();
    expect(live.size).toBe(0);
  });

  it('live tunnels are looked up one query at a time, and again for who asked during one', async () => {
    const looks: (() => void)[] = [];
    const { live } = create(() => new Promise((resolve) => looks.push(() => resolve([]))));
    live.track(makeUse(), 'request', () => {});
    const asked = [live.check(), live.check(), live.check()];
    expect(looks).toHaveLength(1);
    looks[0]?.();
    await expect.poll(() => looks.length).toBe(2);
    looks[1]?.();
    await Promise.all(asked);
    expect(looks).toHaveLength(2);
  });

  it('survive a database that cannot be asked, and are looked up again', async () => {
    let isDown = true;
    const { live } = create((names) =>
      isDown ? Promise.reject(new Error('down')) : ended('role_changed')(names),
    );
    const cuts: string[] = [];
    live.track(makeUse(), 'session', (reason) => cuts.push(reason));
    await expect(live.check()).rejects.toThrow('down');
    expect(cuts).toEqual([]);
    isDown = false;
    await live.check();
    expect(cuts).toEqual(['access_ended']);
  });

  it('live tunnels that end by themselves may finish when the server stops, the others end', async () => {
    const { live, events, stop } = create();
    const cuts: string[] = [];
    live.start();
    live.track(makeUse({ kind: 'http' }), 'request', (reason) => cuts.push(`request ${reason}`));
    live.track(makeUse(), 'session', (reason) => cuts.push(`session ${reason}`));
    events.publish('serverStopping', {});
    expect(cuts).toEqual(['session server_stopping']);
    const written = await stop();
    expect(cuts).toContain('request server_stopping');
    expect(written.map(({ end }) => end?.reason)).toEqual(['server_stopped', 'server_stopped']);
  });

  const target = { controllerId: 'd', organizationId: 'o', enrolmentId: 'device', serialNumber: 'B1' };
  it.each([
    ['a user may have', { perUser: 2 }, {}, { userId: 'another' }],
    ['a user may have on one controller', { perUserOfController: 2 }, {}, { userId: 'another' }],
    ['a controller may', { perController: 2 }, { userId: 'another' }, { target }],
    ['the server may', { inAll: 2 }, { userId: 'another', target }, undefined],
  ])('live tunnels are no more than %s at once; one that closes makes room', (_, limits, same, other) => {
    const { live } = create(undefined, { limits });
    const first = live.track(makeUse({ kind: 'http' }), 'request', () => {});
    live.track(makeUse(), 'session', () => {});
    const oneMore = () => live.track(makeUse({ grant: same }), 'session', () => {});
    expect(oneMore).toThrow('Too many tunnels are open');
    if (other) live.track(makeUse({ grant: other }), 'session', () => {});
    first.end();
    first.end();
    oneMore();
    expect(oneMore).toThrow('Too many tunnels are open');
  });
});

describe('what is written of them', () => {
  it('what is written of them is one record of an HTTP tunnel with many requests, with the bytes of all of them', async () => {
    const { live, stop } = create();
    const use = makeUse({ kind: 'http' });
    for (let index = 0; index < 3; index += 1) {
      const request = live.track(use, 'request', () => {});
      request.count(10, 1_000);
      request.end();
    }
    const written = await stop();
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({ kind: 'http', bytesIn: 30, bytesOut: 3_000, address: '192.0.2.1' });
  });

  it('ends five minutes after the last request, and a later one begins another', async () => {
    const { live, clock, stop } = create();
    const use = makeUse({ kind: 'http' });
    live.track(use, 'request', () => {}).end();
    clock.advance(5 * 60_000 - 1);
    await live.check();
    const late = live.track(use, 'request', () => {});
    clock.advance(10 * 60_000);
    await live.check();
    late.end();
    clock.advance(5 * 60_000);
    await live.check();
    live.track(use, 'request', () => {});
    expect((await stop()).map(({ end }) => end?.reason)).toEqual(['idle', 'server_stopped']);
  });

  it.each<[string, TunnelEndReason]>([
    ['device', 'closed'],
    ['another device', 'controller_offline'],
  ])(
    'tells of one that closes by itself whether its controller is there (%s: %s)',
    async (device, reason) => {
      const { live, linked, stop } = create();
      const session = live.track(makeUse(), 'session', () => {});
      linked.clear();
      linked.add(device);
      session.end();
      expect((await stop())[0]?.end?.reason).toBe(reason);
    },
  );

  it('tells a logout from another end of the session', async () => {
    const { live, events, stop } = create(ended('session_ended'));
    live.start();
    live.track(makeUse({ grant: { sessionId: 'left' } }), 'session', () => {});
    live.track(makeUse({ grant: { sessionId: 'ended' } }), 'session', () => {});
    events.publish('accessEnded', { sessionId: 'left', cause: 'logout' });
    await live.check();
    expect((await stop()).map(({ end }) => end?.reason)).toEqual(['logged_out', 'session_ended']);
  });

  it('what is written of them is none of a login at the jump host, which is no way to a controller yet', async () => {
    const { live, stop } = create();
    live.track(makeUse({ kind: undefined, grant: { target: null } }), 'session', () => {});
    expect(await stop()).toEqual([]);
  });
});
