import type { Http2Session } from 'node:http2';

export interface LivenessOptions {
  /** Time between pings; 15 s unless told. */
  pingIntervalMs?: number | undefined;
  /** Intervals without a byte from the peer after which it is dead; 2 unless told. */
  missedPings?: number | undefined;
}

/** Received in an interval by an end of an idle link: its peer's ping, in whatever it is wrapped. */
const idleBytes = 512;

/**
 * Pings the peer and calls `onDead` once when it stays silent: 45 s at most with the defaults. Any received byte counts as
 * life, so that a ping queued behind bulk data on a slow line kills no link. Who has just heard a little is asked nothing,
 * which is most of what thousands of idle links cost; who hears much still pings, as its peer may hear nothing else.
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
    const received = bytes - seenBytes;
    seenBytes = bytes;
    missed = received > 0 ? 0 : missed + 1;
    if (missed >= missedPings || session.destroyed) {
      clearInterval(timer);
      onDead();
      return;
    }
    if (received > 0 && received <= idleBytes) return;
    session.ping((error) => {
      if (!error) missed = 0;
    });
  }, pingIntervalMs);
  timer.unref();
  session.once('close', () => clearInterval(timer));
}
