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
  #timer: NodeJS.Timeout | undefined;
  #isFlow = false;
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
    this.stop();
    this.#told = this.bytes;
    return this.bytes;
  }

  /** All of one read has been counted; true where the other end is to be told now. */
  endRead(isNear: boolean): boolean {
    const unreported = this.bytes - this.#told;
    if (unreported >= (isNear ? NEAR_WHOLE_BYTES : WHOLE_BYTES)) return true;
    const isFlow = unreported >= FLOW_BYTES;
    if (unreported === 0 || (this.#timer && (this.#isFlow || !isFlow))) return false;
    this.stop();
    this.#isFlow = isFlow;
    this.#timer = setTimeout(this.#tell, isFlow ? FLOW_MS : QUIET_MS);
    return false;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
