import type { YamuxStream } from './yamux/stream.ts';

/** Work connections that wait for their use: one saves a round trip. */
const SPARE = 1;
/** After so long a spare one that was asked for is not believed in any more, in milliseconds. */
const SPARE_PATIENCE_MS = 15_000;

type Taker = (stream: YamuxStream) => void;

/** The work connections of a session: the client opens one for each time it is asked. */
export class WorkPool {
  readonly #ask: () => void;
  readonly #takers = new Set<Taker>();
  readonly #idle: YamuxStream[] = [];
  /** Asked for, and not here yet. */
  #due = 0;
  #spareAskedAt = Number.NEGATIVE_INFINITY;

  /** `ask` asks the client for one more. */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Gives the next one to `taker`, at once where there is one. The answer cancels it. */
  take(taker: Taker): () => void {
    const stream = this.#idle.shift();
    if (stream) {
      this.askForSpare();
      taker(stream);
      return () => {};
    }
    this.#takers.add(taker);
    this.#askOnce();
    return () => void this.#takers.delete(taker);
  }

  /** Asks for one ahead, where none is there or on its way. */
  askForSpare(): void {
    const now = performance.now();
    if (this.#idle.length >= SPARE || now - this.#spareAskedAt < SPARE_PATIENCE_MS) return;
    this.#spareAskedAt = now;
    this.#askOnce();
  }

  #askOnce(): void {
    this.#due += 1;
    this.#ask();
  }

  /** The client has opened one that was asked for, be it of use or not; false where none was. */
  countAnswer(): boolean {
    if (this.#due === 0) return false;
    this.#due -= 1;
    return true;
  }

  /** Takes one that the client has opened; false where nobody has asked for it. */
  add(stream: YamuxStream): boolean {
    if (!this.countAnswer()) return false;
    const [taker] = this.#takers;
    if (taker) {
      this.#takers.delete(taker);
      taker(stream);
      return true;
    }
    this.#spareAskedAt = Number.NEGATIVE_INFINITY;
    // Whoever asked for it did not wait long enough.
    if (this.#idle.length >= SPARE) {
      stream.destroy();
      return true;
    }
    this.#idle.push(stream);
    stream.once('close', () => {
      const index = this.#idle.indexOf(stream);
      if (index !== -1) this.#idle.splice(index, 1);
    });
    return true;
  }
}
