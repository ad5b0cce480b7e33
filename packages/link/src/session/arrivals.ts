import { NEAR_BOUND } from './path-estimate.ts';

/** So much that has come is acknowledged at once, be there nothing else to send. */
const WHOLE_BYTES = 4096;
/** The same on a near line, where a quarter of what may be on its way costs no wait, and each acknowledgement a packet for nothing. */
const NEAR_WHOLE_BYTES = NEAR_BOUND / 4;
/** From here on somebody is sending for longer, and waits for it. */
export const FLOW_BYTES = 1024;
/** So much that has come unasked tells of somebody who sends for longer. */
const FED_BYTES = 16 * 1024;
const FLOW_MS = 5;
const QUIET_MS = 1000;

/** Bytes of frames of data that have come on a connection, and when the other end is told so. */
export class Arrivals {
  readonly #tell: () => void;
  /** It stays when it is told before its time: most is, and to set it anew each time costs more than all else here. */
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;
  /** When it is time to tell what is not told yet. */
  #dueAt = Number.POSITIVE_INFINITY;
  #told = 0;
  /** What had come when a ping was answered last. */
  #answeredAt = 0;
  bytes = 0;

  /** `tell` is called when it is time after a while, and nothing else has been sent meanwhile. */
  constructor(tell: () => void) {
    this.#tell = tell;
  }

  get hasUnreported(): boolean {
    return this.bytes > this.#told;
  }

  /** A ping was answered: so far its silence is explained. */
  noteAnswer(): void {
    this.#answeredAt = this.bytes;
  }

  /** Much has come since. */
  get isFed(): boolean {
    return this.bytes - this.#answeredAt >= FED_BYTES;
  }

  /** What is told now. */
  take(): number {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#told = this.bytes;
    return this.bytes;
  }

  /** All of one read has been counted; true where the other end is to be told now. */
  endRead(isNear: boolean, now: number): boolean {
    const unreported = this.bytes - this.#told;
    if (unreported >= (isNear ? NEAR_WHOLE_BYTES : WHOLE_BYTES)) return true;
    if (unreported === 0) return false;
    this.#dueAt = Math.min(this.#dueAt, now + (unreported >= FLOW_BYTES ? FLOW_MS : QUIET_MS));
    if (this.#dueAt < this.#firesAt) this.#wait(now);
    return false;
  }

  #wait(now: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = this.#dueAt;
    this.#timer = setTimeout(() => this.#look(performance.now()), Math.ceil(this.#dueAt - now));
  }

  #look(now: number): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    // A timer fires up to a millisecond early.
    if (this.#dueAt <= now + 1) this.#tell();
    else if (this.#dueAt < Number.POSITIVE_INFINITY) this.#wait(now);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#firesAt = Number.POSITIVE_INFINITY;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
