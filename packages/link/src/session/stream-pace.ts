/** A stream is bulk once it has sent so much without a pause of a second. */
const BULK_BYTES = 64 * 1024;
const PAUSE_MS = 1000;

/** How much a stream sends at a stretch. */
export class StreamPace {
  #recentBytes = 0;
  /** Since when it has had nothing to send; undefined while something waits for the line, which is no pause. */
  #idleSince: number | undefined;

  get isBulk(): boolean {
    return this.#recentBytes > BULK_BYTES;
  }

  /** It has sent so many bytes; `hasMore` waits. */
  note(bytes: number, now: number, hasMore: boolean): void {
    if (this.#idleSince !== undefined && now - this.#idleSince > PAUSE_MS) this.#recentBytes = 0;
    this.#idleSince = hasMore ? undefined : now;
    this.#recentBytes += bytes;
  }
}
