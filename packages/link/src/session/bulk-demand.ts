/** Bulk that lasts so long, on a line of such round trips, is worth a connection of its own. */
const LASTING_MS = 2000;
const LONG_ROUND_TRIP_MS = 40;
/** A stretch of bulk goes on over a shorter pause: on a poor line that is full nothing may be heard for as long. */
const PAUSE_MS = 3000;
/** It is said no more often. */
const AGAIN_MS = 10_000;

/** Whether a second connection is worth it on a line of that round trip without a queue. */
export function isLongLine(shortestMs: number | undefined): boolean {
  return shortestMs !== undefined && shortestMs >= LONG_ROUND_TRIP_MS;
}

/** Says when bulk on the only connection of a session is worth a second one. */
export class BulkDemand {
  readonly #tell: () => void;
  #since = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Bulk was sent and more of it waits; `shortestMs` is the round trip without a queue. */
  note(now: number, shortestMs: number | undefined): void {
    if (now - this.#lastAt > PAUSE_MS) this.#since = now;
    this.#lastAt = now;
    if (now - this.#since < LASTING_MS || now - this.#toldAt < AGAIN_MS) return;
    if (!isLongLine(shortestMs)) return;
    this.#toldAt = now;
    this.#tell();
  }
}
