/** Counters that may still come behind the highest one: a cluster of brokers may let messages overtake each other. */
const windowSize = 1024;

/** Which counters of one sender have been seen: each is good once, and those far behind the highest one no more. */
export class ReplayWindow {
  #highest = 0;
  /** The counter that was seen last in each place. */
  readonly #seen = new Float64Array(windowSize);
  /** When one was taken last. */
  usedAt = 0;

  /** True the first time. */
  take(counter: number, now: number): boolean {
    if (!Number.isSafeInteger(counter) || counter < 1 || counter <= this.#highest - windowSize) return false;
    const place = counter % windowSize;
    if (this.#seen[place] === counter) return false;
    this.#seen[place] = counter;
    this.#highest = Math.max(this.#highest, counter);
    this.usedAt = now;
    return true;
  }
}
