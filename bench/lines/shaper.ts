import type { Way } from './lines.ts';

export interface ShaperOptions extends Way {
  delayMs: number;
  lossShare: number;
  random?: () => number;
}

/** The arithmetic of one direction of a line: a queue that drops what it cannot hold, a rate, a loss, a delay. */
export class Shaper {
  /** Bytes that came out at the far end, heads of packets included. */
  delivered = 0;
  dropped = 0;
  lost = 0;
  readonly #options: ShaperOptions;
  readonly #random: () => number;
  /** When the last packet taken has left the queue. */
  #busyUntil = 0;

  constructor(options: ShaperOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  get #bytesPerMs(): number {
    return this.#options.kilobits / 8;
  }

  /** Bytes that wait or are being sent at that moment. */
  getQueued(now: number): number {
    return Math.max(0, this.#busyUntil - now) * this.#bytesPerMs;
  }

  /** When a packet that comes now arrives at the far end; undefined when it never does. */
  take(bytes: number, now: number): number | undefined {
    const { queueBytes, delayMs, lossShare } = this.#options;
    if (this.getQueued(now) + bytes > queueBytes) {
      this.dropped += 1;
      return undefined;
    }
    this.#busyUntil = Math.max(now, this.#busyUntil) + bytes / this.#bytesPerMs;
    // Lost on the air: it has taken its time of the line all the same.
    if (this.#random() < lossShare) {
      this.lost += 1;
      return undefined;
    }
    this.delivered += bytes;
    return this.#busyUntil + delayMs;
  }
}
