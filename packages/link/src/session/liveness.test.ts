import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness, type LivenessOptions } from './liveness.ts';
import { RoundTrips } from './path-estimate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const second = 1000;

/** A connection whose peer answers pings after `answerMs`, until it falls silent. */
function watch({ answerMs = 100, roundTripMs, ...options }: Options = {}) {
  let isSilent = false;
  let diedAt: number | undefined;
  const pings: number[] = [];
  const roundTrips = new RoundTrips();
  if (roundTripMs !== undefined) roundTrips.add(roundTripMs, performance.now());
  const connection = {
    isClosed: false,
    inFlight: 0,
    heardAt: performance.now(),
    pingedAt: undefined as number | undefined,
    ping(now: number) {
      pings.push(now);
      connection.pingedAt = now;
      setTimeout(() => {
        if (isSilent) return;
        connection.heardAt = performance.now();
        connection.pingedAt = undefined;
      }, answerMs);
    },
    pingAtEase: (now: number) => connection.ping(now),
  };
  const liveness = new Liveness(connection, roundTrips, options, () => {
    diedAt = performance.now();
    connection.isClosed = true;
  });
  liveness.start();
  return {
    liveness,
    connection,
    pings,
    fallSilent() {
      isSilent = true;
    },
    diedAt: () => diedAt,
  };
}
interface Options extends LivenessOptions {
  answerMs?: number;
  roundTripMs?: number;
}

test.each([0, 1, 20, 39, 41, 100])(
  'an idle peer silent from second %i on is found in 45 s',
  (silentAfter) => {
    const peer = watch();
    vi.advanceTimersByTime(silentAfter * second);
    const heardAt = peer.connection.heardAt;
    peer.fallSilent();
    vi.advanceTimersByTime(100 * second);
    const took = (peer.diedAt() ?? Number.NaN) - heardAt;
    expect(took).toBeLessThanOrEqual(45 * second + 10);
    expect(took).toBeGreaterThanOrEqual(40 * second);
  },
);

test('an idle link has a ping every 40 s and no more', () => {
  const peer = watch();
  vi.advanceTimersByTime(3_600 * second);
  expect(peer.diedAt()).toBeUndefined();
  expect(peer.pings.length).toBeGreaterThan(85);
  expect(peer.pings.length).toBeLessThanOrEqual(90);
});

test('a peer that is to acknowledge something and is silent is found in 5 s', () => {
  const peer = watch();
  peer.fallSilent();
  vi.advanceTimersByTime(10 * second);
  const now = performance.now();
  peer.connection.inFlight = 100;
  peer.liveness.noteBusy(now);
  vi.advanceTimersByTime(60 * second);
  expect((peer.diedAt() ?? Number.NaN) - now).toBeLessThanOrEqual(5 * second + 10);
});

test('a slow line is given four of its round trips, and what comes in between counts', () => {
  const peer = watch({ roundTripMs: 3 * second, answerMs: 8 * second });
  const now = performance.now();
  peer.connection.inFlight = 100;
  peer.liveness.noteBusy(now);
  vi.advanceTimersByTime(600 * second);
  expect(peer.diedAt()).toBeUndefined();
});

test('a connection that is watched no longer is not asked', () => {
  const peer = watch();
  peer.liveness.stop();
  vi.advanceTimersByTime(600 * second);
  expect(peer.pings).toEqual([]);
});
