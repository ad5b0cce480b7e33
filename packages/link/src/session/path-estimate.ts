/** The shortest round trip that a session has seen lately: that of its line without a queue. */
export class ShortestRoundTrip {
  /** Milliseconds; undefined until one was measured. */
  value: number | undefined;
  /** Of the ten seconds that run, and when they began. */
  #shortestNow: number | undefined;
  #since = 0;

  add(milliseconds: number, now: number): void {
    if (now - this.#since > ROUND_TRIP_WINDOW_MS) {
      // What the ten seconds before have shown goes with them.
      if (this.#shortestNow !== undefined) this.value = this.#shortestNow;
      this.#shortestNow = undefined;
      this.#since = now;
    }
    this.#shortestNow = Math.min(this.#shortestNow ?? milliseconds, milliseconds);
    this.value = Math.min(this.value ?? milliseconds, milliseconds);
  }
}

/** Round trips of one connection. A second one that starts in a full queue never sees the shortest itself: that is the session's. */
export class RoundTrips {
  /** Milliseconds; undefined until one was measured. */
  smoothed: number | undefined;
  readonly #shortest: ShortestRoundTrip;

  constructor(shortest = new ShortestRoundTrip()) {
    this.#shortest = shortest;
  }

  get shortest(): number | undefined {
    return this.#shortest.value;
  }

  /** Whether the line is so short that a queue on it is no wait. */
  get isLowLatency(): boolean {
    return this.shortest !== undefined && this.shortest < NEAR_MS;
  }

  add(milliseconds: number, now: number): void {
    this.smoothed = this.smoothed === undefined ? milliseconds : 0.875 * this.smoothed + 0.125 * milliseconds;
    this.#shortest.add(milliseconds, now);
  }
}

const ROUND_TRIP_WINDOW_MS = 10_000;

/** Rates are kept for so many round trips. */
const RATE_ROUNDS = 10;
const STEADY_GAIN = 1.25;
const START_GAIN = 2.5;
/** So many round trips without a quarter more, and the line is full. */
const FULL_ROUNDS = 3;
const MIN_BOUND = 14 * 1024;
/** On a line this short a queue is no wait, and timers are coarser than its round trips. */
const NEAR_MS = 3;
export const NEAR_BOUND = 1024 * 1024;
/** Longest that a frame may last on the line, in milliseconds. */
const FRAME_MS = 30;
const MIN_FRAME = 1400;
const MAX_FRAME = 16 * 1024;
/** Acknowledgements come with frames: so many frames late, and one is missing. */
const LATE_FRAMES = 2;
/** How often the bound goes down to see the true round trip. */
const DIP_EVERY_MS = 10_000;

/** What stood at the moment when bytes were sent. */
export interface SendMark {
  sentAt: number;
  /** When those were sent that had been delivered last. */
  firstSentAt: number;
  delivered: number;
  deliveredAt: number;
  /** Less than the bound waited: the sample tells only that the line is at least so quick. */
  isIdle: boolean;
}

/**
 * How much one connection carries: delivered rate as BBR measures it (draft-ietf-ccwg-bbr, section 4.1), and from it how much may be
 * on its way. What is not, waits with us, where its order can still be chosen.
 */
export class PathEstimate {
  readonly #roundTrips: RoundTrips;
  /** Highest rates of the last rounds in bytes a millisecond, newest last. */
  #rates: number[] = [0];
  #delivered = 0;
  #deliveredAt = 0;
  #firstSentAt = 0;
  /** What will have been delivered when this round is over. */
  #roundEnd = 0;
  #fullRate = 0;
  #fullRounds = 0;
  #dipAt = 0;
  #dipEnd = 0;
  /** Up to there too little was there to send. */
  #idleUntil = 0;

  constructor(roundTrips: RoundTrips) {
    this.#roundTrips = roundTrips;
  }

  /** Bytes a millisecond; 0 until it was measured. */
  get rate(): number {
    return Math.max(...this.#rates);
  }

  /** Of bytes that are sent now, with so many before them on their way. */
  mark(now: number, inFlight: number): SendMark {
    // After a pause the time without anything to deliver is not the line's.
    if (inFlight === 0) {
      this.#deliveredAt = now;
      this.#firstSentAt = now;
    }
    return {
      sentAt: now,
      firstSentAt: this.#firstSentAt,
      delivered: this.#delivered,
      deliveredAt: this.#deliveredAt,
      isIdle: this.#idleUntil > this.#delivered,
    };
  }

  /** Nothing is left to send although more might be on its way. */
  noteIdle(inFlight: number): void {
    this.#idleUntil = this.#delivered + Math.max(1, inFlight);
  }

  /** So many bytes more have arrived; the newest of them were sent at that mark. */
  deliver(bytes: number, mark: SendMark | undefined, now: number, inFlight: number): void {
    this.#delivered += bytes;
    this.#deliveredAt = now;
    if (!mark) return;
    this.#roundTrips.add(now - mark.sentAt, now);
    // What a lost packet has held back arrives at once: it came no quicker than it was sent.
    const sending = mark.sentAt - mark.firstSentAt;
    const elapsed = Math.max(now - mark.deliveredAt, sending, this.#roundTrips.shortest ?? 0, 0.05);
    this.#firstSentAt = mark.sentAt;
    const rate = (this.#delivered - mark.delivered) / elapsed;
    if (mark.delivered >= this.#roundEnd) this.#beginRound(inFlight, mark.isIdle);
    const last = this.#rates.length - 1;
    if (rate > (this.#rates[last] ?? 0) && (!mark.isIdle || rate > this.rate)) this.#rates[last] = rate;
  }

  #beginRound(inFlight: number, isIdle: boolean): void {
    this.#roundEnd = this.#delivered + inFlight;
    // A round in which little was sent tells nothing, and pushes nothing out.
    if (isIdle) return;
    const { rate } = this;
    if (rate > this.#fullRate * 1.25) {
      this.#fullRate = rate;
      this.#fullRounds = 0;
    } else this.#fullRounds += 1;
    this.#rates.push(0);
    if (this.#rates.length > RATE_ROUNDS) this.#rates.shift();
  }

  /** Bytes that may be on their way. */
  getBound(now: number): number {
    const { shortest, smoothed } = this.#roundTrips;
    if (shortest === undefined || smoothed === undefined) return MIN_BOUND;
    if (this.#roundTrips.isLowLatency) return NEAR_BOUND;
    const product = this.rate * shortest;
    if (this.#fullRounds < FULL_ROUNDS) return Math.max(MIN_BOUND, START_GAIN * product);
    if (now > this.#dipAt) {
      this.#dipAt = now + DIP_EVERY_MS;
      this.#dipEnd = now + smoothed;
    }
    if (now < this.#dipEnd) return Math.max(MIN_FRAME, product / 2);
    return Math.max(MIN_BOUND, STEADY_GAIN * product) + this.#getOverdue(now, product);
  }

  /** Whether the bound grows while nothing is heard. */
  isGrowing(now: number): boolean {
    const { shortest, isLowLatency } = this.#roundTrips;
    if (shortest === undefined || isLowLatency || this.#fullRounds < FULL_ROUNDS) return false;
    const product = this.rate * shortest;
    return this.#getOverdue(now, product) < product;
  }

  /**
   * What the line has most likely carried since it was heard last. TCP delivers nothing behind a lost packet until that has come
   * anew, a round trip later, so nothing is acknowledged; with no more than the bound on its way the line would stand idle meanwhile.
   * A line that is dead and not slow gets one product more, and no more.
   */
  #getOverdue(now: number, product: number): number {
    const late = LATE_FRAMES * Math.max(FRAME_MS, MIN_FRAME / this.rate);
    return Math.min(product, Math.max(0, now - this.#deliveredAt - late) * this.rate);
  }

  /** Longest frame that others should wait for. */
  getFrameBytes(): number {
    if (this.#roundTrips.isLowLatency) return MAX_FRAME;
    return Math.min(MAX_FRAME, Math.max(MIN_FRAME, Math.floor(this.rate * FRAME_MS)));
  }
}

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
