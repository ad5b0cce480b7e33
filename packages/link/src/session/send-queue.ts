/**
 * What one end has written to a stream and the other has not acknowledged: kept, so that it can be sent again over another
 * connection. Offsets count from the stream's begin; its end is an offset too, one past the last byte.
 */
export class SendQueue {
  #chunks: Buffer[] = [];
  /** Of the first chunk that is kept. */
  #first = 0;
  /** Offset of its first byte. */
  #base = 0;
  /** The chunk to be sent next, and how far into it. */
  #next = 0;
  #nextAt = 0;
  /** Up to here the other end has everything. */
  acknowledged = 0;
  /** Up to here it was written to a connection that lives. */
  sent = 0;
  /** The furthest it ever was. */
  furthest = 0;
  /** Bytes given to it. */
  written = 0;
  hasEnd = false;

  /** Bytes not acknowledged. */
  get kept(): number {
    return this.written - Math.min(this.acknowledged, this.written);
  }

  /** Bytes not sent, without the end. */
  get unsent(): number {
    return Math.max(0, this.written - this.sent);
  }

  get isEndUnsent(): boolean {
    return this.hasEnd && this.sent <= this.written;
  }

  /** True once the other end has all of it, with its end. */
  get isDone(): boolean {
    return this.hasEnd && this.acknowledged > this.written;
  }

  add(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.written += chunk.length;
  }

  /** The next bytes to send, `max` at most, as they lie in memory; they count as sent. */
  take(max: number, into: Buffer[]): number {
    let taken = 0;
    while (taken < max) {
      const chunk = this.#chunks[this.#next];
      if (!chunk) break;
      const piece =
        this.#nextAt === 0 && chunk.length <= max - taken
          ? chunk
          : chunk.subarray(this.#nextAt, this.#nextAt + max - taken);
      into.push(piece);
      taken += piece.length;
      this.#nextAt += piece.length;
      if (this.#nextAt === chunk.length) {
        this.#next += 1;
        this.#nextAt = 0;
      }
    }
    this.#moveTo(this.sent + taken);
    return taken;
  }

  /** The end has been written to a connection. */
  takeEnd(): void {
    this.#moveTo(this.written + 1);
  }

  #moveTo(offset: number): void {
    this.sent = offset;
    if (offset > this.furthest) this.furthest = offset;
  }

  /** The other end has everything up to this offset. */
  acknowledge(offset: number): void {
    if (offset <= this.acknowledged) return;
    this.acknowledged = offset;
    if (this.sent < offset) this.#seek(offset);
    for (;;) {
      const chunk = this.#chunks[this.#first];
      if (!chunk || this.#first >= this.#next || this.#base + chunk.length > offset) break;
      this.#base += chunk.length;
      this.#first += 1;
    }
    if (this.#first > 64 || this.#first === this.#chunks.length) {
      this.#chunks.splice(0, this.#first);
      this.#next -= this.#first;
      this.#first = 0;
    }
  }

  /** Goes on from there: what was sent beyond was lost with its connection. */
  rewind(offset: number): void {
    this.acknowledge(offset);
    this.#seek(offset);
  }

  #seek(offset: number): void {
    this.sent = offset;
    let at = this.#base;
    this.#next = this.#first;
    this.#nextAt = 0;
    for (;;) {
      const chunk = this.#chunks[this.#next];
      if (!chunk) return;
      if (at + chunk.length > offset) {
        this.#nextAt = offset - at;
        return;
      }
      at += chunk.length;
      this.#next += 1;
    }
  }

  /** Forgets all of it. */
  clear(): void {
    this.#chunks = [];
    this.#first = 0;
    this.#next = 0;
    this.#nextAt = 0;
    this.#base = this.written;
    this.acknowledged = Math.max(this.acknowledged, this.written);
    this.sent = Math.max(this.sent, this.written);
  }
}
