import type { Http2Session } from 'node:http2';

export interface LivenessOptions {
  /** Time between pings; 15 s unless told. */
  pingIntervalMs?: number | undefined;
  /** Intervals without a byte from the peer after which it is dead; 2 unless told. */
  missedPings?: number | undefined;
}

/**
 * Pings the peer and calls `onDead` once when it stays silent: 45 s at most with the defaults. Any
 * received byte counts as life, so that a ping queued behind bulk data on a slow line kills no link;
 * the peer pings as well, so a living peer is never silent.
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
  let isAwaited = false;
  const timer = setInterval(() => {
    const bytes = getBytesRead();
    if (bytes !== seenBytes) missed = 0;
    else if (isAwaited) missed += 1;
    seenBytes = bytes;
    if (missed >= missedPings || session.destroyed) {
      clearInterval(timer);
      onDead();
      return;
    }
    isAwaited = true;
    session.ping((error) => {
      if (!error) missed = 0;
    });
  }, pingIntervalMs);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}
