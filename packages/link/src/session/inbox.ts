/** What a stream may send before the other end has read anything: also what an unread one holds. */
export const START_WINDOW = 16 * 1024;
/** 320 Mbit/s at 100 ms. */
const MAX_WINDOW = 4 * 1024 * 1024;
/** A piece below it is put together with its neighbours of the same read. */
const WHOLE_BYTES = 1024;
/** Pieces are handed over together up to this. */
const JOINED_BYTES = 64 * 1024;
/** What a piece costs in memory besides its bytes: a device may send single ones. */
const PIECE_BYTES = 200;
/** A window that is read within so many round trips, or this time, held its writer up. */
const QUICK_ROUND_TRIPS = 4;
const QUICK_MS = 20;
/** A window is renewed in so many steps, if they are not too small. */
const CREDITS = 16;

/** What has come on a stream and is not handed over yet, and how much more may come. */
export class Inbox {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #window = START_WINDOW;
  /** When the last whole window had been read, and where that was. */
  #windowSince = performance.now();
  #deliveredBefore = 0;
  /** Handed over, or used up by the stream itself. */
  delivered = 0;
  /** So much the other end may send in all. */
  creditGiven = START_WINDOW;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Of memory. */
  get cost(): number {
    return this.#bytes + this.#pieces.length * PIECE_BYTES;
  }

  /** What the window is beyond the one that each stream has. */
  get extraWindow(): number {
    return this.#window - START_WINDOW;
  }

  add(piece: Buffer): void {
    // A byte would keep all that was read with it, up to 64 kB, for as long as nobody reads.
    if (piece.length < WHOLE_BYTES && piece.length * 4 < piece.buffer.byteLength) {
      const copy = Buffer.allocUnsafeSlow(piece.length);
      piece.copy(copy);
      piece = copy;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /** Small pieces of one read are one: whoever reads has one of them, not a thousand. */
  joinSmall(): void {
    const count = this.#pieces.length;
    if (count > 1 && this.#bytes < count * WHOLE_BYTES) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  /** Gives one piece after the other to somebody who says whether he wants more. */
  handOver(push: (piece: Buffer) => boolean): void {
    let isWanted = true;
    while (isWanted) {
      // Taken out first: whoever gets it may ask for the next one at once.
      const piece = this.#take();
      if (!piece) break;
      this.#bytes -= piece.length;
      this.delivered += piece.length;
      isWanted = push(piece);
    }
  }

  /** The next pieces as one: a copy costs less than what each of them would go through. */
  #take(): Buffer | undefined {
    if (this.#pieces.length <= 1) return this.#pieces.pop();
    let count = 0;
    let bytes = 0;
    for (const piece of this.#pieces) {
      if (count > 0 && bytes + piece.length > JOINED_BYTES) break;
      count += 1;
      bytes += piece.length;
    }
    const taken = this.#pieces.splice(0, count);
    return count > 1 ? Buffer.concat(taken, bytes) : taken[0];
  }

  /**
   * Gives a new credit where a part of the window was read; true when the other end is to be told. A small part: what was
   * read and not said yet is missing from the window for a round trip.
   */
  renewCredit(roundTripMs: number, takeWindow: (bytes: number) => boolean): boolean {
    const step = Math.max(START_WINDOW / 2, this.#window / CREDITS);
    if (this.delivered + this.#window - this.creditGiven < step) return false;
    if (this.#window < MAX_WINDOW && this.delivered - this.#deliveredBefore >= this.#window)
      this.#grow(roundTripMs, takeWindow);
    this.creditGiven = this.delivered + this.#window;
    return true;
  }

  /** A whole window has been read. */
  #grow(roundTripMs: number, takeWindow: (bytes: number) => boolean): void {
    const now = performance.now();
    const isQuick = now - this.#windowSince < Math.max(QUICK_MS, QUICK_ROUND_TRIPS * roundTripMs);
    if (isQuick && takeWindow(this.#window)) this.#window *= 2;
    this.#windowSince = now;
    this.#deliveredBefore = this.delivered;
  }

  /** Forgets what is left. */
  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#window = START_WINDOW;
  }
}

const MAX_HEAD_BYTES = 2048;

/** Gathers the line that a direction of a stream begins with. */
export class StreamHead {
  #bytes = Buffer.alloc(0);

  /** The line without its end and what follows it; undefined until it is whole, null when none comes. */
  add(piece: Buffer): { line: string; rest: Buffer } | null | undefined {
    const head = Buffer.concat([this.#bytes, piece]);
    const end = head.indexOf(10);
    if (end > MAX_HEAD_BYTES || (end === -1 && head.length > MAX_HEAD_BYTES)) return null;
    this.#bytes = head;
    return end === -1 ? undefined : { line: head.toString('utf8', 0, end), rest: head.subarray(end + 1) };
  }
}
