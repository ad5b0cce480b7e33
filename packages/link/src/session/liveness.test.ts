import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Liveness, type LivenessOptions } from './liveness.ts';
import { RoundTrips } from './path-estimate.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const second = 1000;

/** A connection whose peer answers pings after `answerMs`, until it falls silent. */
function watch({ answerMs = 100, roundTripMs, isTried, ...options }: Options = {}) {
  let isSilent = false;
  let diedAt: number | undefined;
  const pings: number[] = [];
  const suspicions: number[] = [];
  const roundTrips = new RoundTrips();
  if (roundTripMs !== undefined) roundTrips.add(roundTripMs, performance.now());
  const connection = {
    isClosed: false,
    inFlight: 0,
    isFed: false,
    heardAt: performance.now(),
    pingedAt: undefined as number | undefined,
    ping(now: number) {
      pings.push(now);
      connection.pingedAt = now;
      setTimeout(() => {
        if (isSilent) return;
        connection.heardAt = performance.now();
        connection.pingedAt = undefined;
        connection.isFed = false;
      }, answerMs);
    },
    pingAtEase: (now: number) => connection.ping(now),
    suspect(now: number) {
      suspicions.push(now);
      return isTried?.() ?? false;
    },
  };
  const liveness = new Liveness(
    connection,
    roundTrips,
    { canSuspect: isTried !== undefined, ...options },
    () => {
      diedAt = performance.now();
      connection.isClosed = true;
    },
  );
  liveness.start();
  return {
    liveness,
    connection,
    pings,
    suspicions,
    fallSilent() {
      isSilent = true;
    },
    diedAt: () => diedAt,
  };
}
interface Options extends LivenessOptions {
  answerMs?: number;
  roundTripMs?: number;
  /** Of an end that can have another connection: whether one is on its way. */
  isTried?: () => boolean;
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

test.each([
  { what: 'is to acknowledge something', inFlight: 100, isFed: false },
  { what: 'has sent much', inFlight: 0, isFed: true },
])('a peer that $what is asked after 0.75 s of silence and suspect after 1.5 s', ({ inFlight, isFed }) => {
  const peer = watch({ isTried: () => true });
  vi.advanceTimersByTime(10 * second);
  peer.fallSilent();
  const now = performance.now();
  peer.connection.heardAt = now;
  Object.assign(peer.connection, { inFlight, isFed });
  if (isFed) peer.liveness.onProgress(now);
  else peer.liveness.noteBusy(now);
  const pingsBefore = peer.pings.length;
  vi.advanceTimersByTime(1_490);
  expect(peer.pings.length).toBe(pingsBefore + 1);
  expect((peer.pings.at(-1) ?? 0) - now).toBeLessThanOrEqual(760);
  expect(peer.suspicions).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(peer.suspicions).toHaveLength(1);
});

test('a peer that has sent much and answers is not suspect', () => {
  const peer = watch({ isTried: () => true, answerMs: 600 });
  vi.advanceTimersByTime(10 * second);
  peer.connection.isFed = true;
  peer.liveness.onProgress(performance.now());
  vi.advanceTimersByTime(30 * second);
  expect(peer.suspicions).toEqual([]);
  expect(peer.diedAt()).toBeUndefined();
});

test('a suspect peer is not given up while another connection is tried, and is when none comes', () => {
  let isTried = true;
  const peer = watch({ isTried: () => isTried });
  peer.fallSilent();
  vi.advanceTimersByTime(5);
  peer.connection.inFlight = 100;
  peer.liveness.noteBusy(performance.now());
  vi.advanceTimersByTime(60 * second);
  expect(peer.diedAt()).toBeUndefined();
  isTried = false;
  vi.advanceTimersByTime(second);
  expect(peer.diedAt()).toBeDefined();
});

test('a slow line has three of its round trips before its peer is suspect', () => {
  const peer = watch({ isTried: () => true, roundTripMs: 2 * second });
  peer.fallSilent();
  vi.advanceTimersByTime(5);
  const now = performance.now();
  peer.connection.inFlight = 100;
  peer.liveness.noteBusy(now);
  vi.advanceTimersByTime(60 * second);
  const [first = Number.NaN] = peer.suspicions;
  expect(first - now).toBeGreaterThanOrEqual(6 * second);
  expect(first - now).toBeLessThanOrEqual(6.1 * second);
});
