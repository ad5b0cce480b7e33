import { EventEmitter } from 'node:events';
import type { Http2Session } from 'node:http2';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLiveness } from './liveness.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A session whose peer is silent from second `silentAfter` on, and says so many bytes every second until then. */
function watchPeer(silentAfter: number, bytes = 1) {
  const start = Date.now();
  const seconds = () => Math.floor((Date.now() - start) / 1000);
  let diedAfter: number | undefined;
  const pingedAt: number[] = [];
  const ping = () => {
    pingedAt.push(seconds());
    return true;
  };
  const session = Object.assign(new EventEmitter(), { destroyed: false, ping });
  watchLiveness(
    // As much of it as liveness uses.
    session as unknown as Http2Session,
    () => bytes * Math.min(seconds(), silentAfter),
    {},
    () => {
      diedAfter = seconds();
    },
  );
  return { pingedAt, diedAfter: () => diedAfter, close: () => session.emit('close') };
}

test.each([0, 1, 14, 15, 16, 29, 44, 100])(
  'a peer silent from second %i on is found in 45 s at most, and not before 30 s',
  (silentAfter) => {
    const peer = watchPeer(silentAfter);
    vi.advanceTimersByTime(300_000);
    const took = (peer.diedAfter() ?? Number.NaN) - silentAfter;
    expect(took).toBeLessThanOrEqual(45);
    expect(took).toBeGreaterThanOrEqual(30);
  },
);

test('a peer that says anything is never taken for dead, however slow its answers to pings are', () => {
  const peer = watchPeer(Number.POSITIVE_INFINITY);
  vi.advanceTimersByTime(3_600_000);
  expect(peer.diedAfter()).toBeUndefined();
});

test('a peer that says a little is pinged only when it falls silent', () => {
  const peer = watchPeer(31);
  vi.advanceTimersByTime(60_000);
  expect(peer.pingedAt).toEqual([60]);
});

test('a peer that sends much is pinged always: it may hear nothing else', () => {
  const peer = watchPeer(31, 1_000);
  vi.advanceTimersByTime(60_000);
  expect(peer.pingedAt).toEqual([15, 30, 45, 60]);
});

test('a closed session is watched no longer', () => {
  const peer = watchPeer(0);
  peer.close();
  vi.advanceTimersByTime(300_000);
  expect(peer.diedAfter()).toBeUndefined();
});
