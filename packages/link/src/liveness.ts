import type { Http2Session } from 'node:http2';

export interface LivenessOptions {
  /** Time between pings; 15 s unless told. */
  pingIntervalMs?: number | undefined;
  /** Intervals without a byte from the peer after which it is dead; 2 unless told. */
  missedPings?: number | undefined;
}

/**
 * Pings a peer that was silent for an interval and calls `onDead` once when it stays so: 45 s at most with the defaults.
 * Any received byte counts as life, so that a ping queued behind bulk data on a slow line kills no link; and who has just
 * been heard is asked nothing, which is most of what thousands of idle links cost.
 */
export function watchLiveness(
  session: Http2Session,
  getBytesRead: () => number,
  options: LivenessOptions,
  onDead: () => void,
): void {
  const { pingIntervalMs = 15_000, missedPings = 2 } = options;
  let missed = 0;
  let seenBytes = getBytesRead();
  const timer = setInterval(() => {
    const bytes = getBytesRead();
    const wasHeard = bytes !== seenBytes;
    seenBytes = bytes;
    missed = wasHeard ? 0 : missed + 1;
    if (missed >= missedPings || session.destroyed) {
      clearInterval(timer);
      onDead();
      return;
    }
    if (wasHeard) return;
    session.ping((error) => {
      if (!error) missed = 0;
    });
  }, pingIntervalMs);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}
