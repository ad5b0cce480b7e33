/** A stream is bulk once it has sent so much without a pause of a second. */
const BULK_BYTES = 64 * 1024;
const PAUSE_MS = 1000;

/** How much a stream sends at a stretch. */
export class StreamPace {
  #recentBytes = 0;
  #recentAt = 0;

  get isBulk(): boolean {
    return this.#recentBytes > BULK_BYTES;
  }

  note(bytes: number, now: number): void {
    if (now - this.#recentAt > PAUSE_MS) this.#recentBytes = 0;
    this.#recentAt = now;
    this.#recentBytes += bytes;
  }
}
