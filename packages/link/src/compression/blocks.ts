/**
 * The form of bytes that go compressed (docs/adr/0025): blocks that each stand alone. A block begins with two numbers of two bytes, its
 * length as it is sent and its length inflated, each less one; where they are equal its bytes are as they were.
 */

/** Longest body of a block. */
export const MAX_BLOCK_BYTES = 64 * 1024;
/** A body is at most so many times as long as what is sent of it. */
export const MAX_RATIO = 100;
const HEADER_BYTES = 4;
const FIRST_ALLOCATION = 1024;
const nothing = Buffer.alloc(0);

/** What the other end of a stream must not send. */
export class BlockFormatError extends Error {
  override readonly name = 'BlockFormatError';
}

/** The header of a block. */
export function formatBlockHeader(sentBytes: number, bodyBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(sentBytes - 1, 0);
  header.writeUInt16BE(bodyBytes - 1, 2);
  return header;
}

/** Bytes as they were, be it not all of a block; or all of one that was deflated, and how long it is inflated. */
export type BlockPart =
  | { kind: 'raw'; bytes: Buffer }
  | { kind: 'deflated'; bytes: Buffer; bodyBytes: number };

/** Takes blocks apart, wherever they are cut. Keeps no more than what came of one that was deflated. */
export class BlockReader {
  readonly #onBlock: (bodyBytes: number, isDeflated: boolean) => void;
  #input: Buffer = nothing;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerBytes = 0;
  #bodyBytes = 0;
  /** Still to come of this block. */
  #missing = 0;
  #isDeflated = false;
  #kept = nothing;
  #keptBytes = 0;

  /** `onBlock` is told of each block whose header has come. */
  constructor(onBlock: (bodyBytes: number, isDeflated: boolean) => void) {
    this.#onBlock = onBlock;
  }

  /** Bytes of memory that wait in it. */
  get waitingBytes(): number {
    return this.#input.length + this.#kept.length;
  }

  /** True between two blocks, with nothing left to read. */
  get isWhole(): boolean {
    return this.#input.length === 0 && this.#headerBytes === 0;
  }

  /** Takes the next bytes; those before have been read. */
  add(piece: Buffer): void {
    this.#input = piece;
  }

  /** What is there next; undefined until more is added. Throws `BlockFormatError`. */
  next(): BlockPart | undefined {
    while (this.#input.length > 0) {
      if (this.#missing === 0) {
        this.#readHeader();
        continue;
      }
      const bytes = this.#take(this.#missing);
      this.#missing -= bytes.length;
      if (!this.#isDeflated) {
        if (this.#missing === 0) this.#headerBytes = 0;
        return { kind: 'raw', bytes };
      }
      const whole = this.#complete(bytes);
      if (whole) return { kind: 'deflated', bytes: whole, bodyBytes: this.#bodyBytes };
    }
    return undefined;
  }

  #take(most: number): Buffer {
    const taken = this.#input.subarray(0, most);
    this.#input = most < this.#input.length ? this.#input.subarray(most) : nothing;
    return taken;
  }

  #readHeader(): void {
    const bytes = this.#take(HEADER_BYTES - this.#headerBytes);
    bytes.copy(this.#header, this.#headerBytes);
    this.#headerBytes += bytes.length;
    if (this.#headerBytes < HEADER_BYTES) return;
    const sentBytes = this.#header.readUInt16BE(0) + 1;
    this.#bodyBytes = this.#header.readUInt16BE(2) + 1;
    if (sentBytes > this.#bodyBytes) throw new BlockFormatError('a block is longer than its body');
    if (this.#bodyBytes > sentBytes * MAX_RATIO) throw new BlockFormatError('a block shrank too much');
    this.#missing = sentBytes;
    this.#isDeflated = sentBytes < this.#bodyBytes;
    this.#onBlock(this.#bodyBytes, this.#isDeflated);
  }

  /** All of the block once it is there. Room is made as bytes come: a length alone costs nothing. */
  #complete(bytes: Buffer): Buffer | undefined {
    const isFirst = this.#keptBytes === 0;
    if (!isFirst || this.#missing > 0) this.#keep(bytes);
    if (this.#missing > 0) return undefined;
    const whole = isFirst ? bytes : this.#kept.subarray(0, this.#keptBytes);
    this.#kept = nothing;
    this.#keptBytes = 0;
    this.#headerBytes = 0;
    return whole;
  }

  #keep(bytes: Buffer): void {
    const needed = this.#keptBytes + bytes.length;
    if (needed > this.#kept.length) {
      const room = Math.max(needed, FIRST_ALLOCATION, this.#kept.length * 2);
      const larger = Buffer.alloc(Math.min(needed + this.#missing, room));
      this.#kept.copy(larger, 0, 0, this.#keptBytes);
      this.#kept = larger;
    }
    bytes.copy(this.#kept, this.#keptBytes);
    this.#keptBytes = needed;
  }
}
