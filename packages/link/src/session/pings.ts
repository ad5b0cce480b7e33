import { formatHeader, frameFlags, frameTypes } from './frames.ts';

/** The pings of one connection, of which one waits for its answer. */
export class Pings {
  #number = 0;
  /** When the ping was sent that waits for its answer. */
  sentAt: number | undefined;

  /** The next one. */
  send(now: number): Buffer {
    this.sentAt = now;
    this.#number = (this.#number + 1) >>> 0;
    return formatHeader(frameTypes.ping, 0, 0, this.#number);
  }

  /** The round trip in milliseconds; undefined for an answer to nothing. */
  takeAnswer(number: number, now: number): number | undefined {
    if (this.sentAt === undefined || number !== this.#number) return undefined;
    const roundTripMs = now - this.sentAt;
    this.sentAt = undefined;
    return roundTripMs;
  }
}

export function formatPong(number: number): Buffer {
  return formatHeader(frameTypes.ping, frameFlags.answer, 0, number);
}
