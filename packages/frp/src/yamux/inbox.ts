/** A piece below it is put together with its neighbours. */
const WHOLE_BYTES = 1024;
/** So many pieces are kept apart: each costs memory besides its bytes, and a device may send single ones. */
const MAX_SMALL_PIECES = 64;

/** What has come on a stream and nobody has read. */
export class Inbox {
  #pieces: Buffer[] = [];
  bytes = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: Buffer): void {
    // A byte would keep all that was read with it, up to 64 kB, for as long as nobody reads.
    const isScrap = piece.length < WHOLE_BYTES && piece.length * 4 < piece.buffer.byteLength;
    this.#pieces.push(isScrap ? Buffer.from(piece) : piece);
    this.bytes += piece.length;
    const count = this.#pieces.length;
    if (count >= MAX_SMALL_PIECES && this.bytes < count * WHOLE_BYTES) this.#join();
    // Those before are larger by now; a tail of small ones is joined all the same.
    else if (count >= 4 * MAX_SMALL_PIECES) this.#join();
  }

  #join(): void {
    this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** The next piece; undefined when there is none. */
  take(): Buffer | undefined {
    const piece = this.#pieces.shift();
    this.bytes -= piece?.length ?? 0;
    return piece;
  }

  clear(): void {
    this.#pieces = [];
    this.bytes = 0;
  }
}
