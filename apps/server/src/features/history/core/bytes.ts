import { inflateRawSync } from 'node:zlib';

/** What was stored cannot be read: no writer of ours makes such bytes. */
export class ChunkFormatError extends Error {
  override readonly name = 'ChunkFormatError';
}

/** Throws `ChunkFormatError` where it does not inflate, or to more than that. */
export function inflate(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength });
  } catch (error) {
    throw new ChunkFormatError('what was stored does not inflate', { cause: error });
  }
}

/** Below it the difference of two numbers, and twice that, is a safe integer. */
export const maxInteger = 2 ** 50;

/** Numbers of as few bytes as they need, one behind the other. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** A safe integer that is not negative. */
  unsigned(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** An integer of less than `maxInteger`, four times over. */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  text(value: string): void {
    const bytes = Buffer.from(value);
    this.unsigned(bytes.length);
    this.raw(bytes);
  }

  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}

/** Reads what `ByteWriter` wrote; throws `ChunkFormatError` where it did not. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#position;
  }

  byte(): number {
    const value = this.#bytes[this.#position];
    if (value === undefined) throw new ChunkFormatError('the bytes end too early');
    this.#position += 1;
    return value;
  }

  unsigned(): number {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (value > Number.MAX_SAFE_INTEGER) throw new ChunkFormatError('a number is too long');
      if (byte < 128) return value;
      factor *= 128;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** How many of something follow, each of which takes `least` bytes. */
  count(least = 1): number {
    const count = this.unsigned();
    if (count * least > this.left) throw new ChunkFormatError('more is announced than follows');
    return count;
  }

  raw(length: number): Uint8Array {
    if (length > this.left) throw new ChunkFormatError('the bytes end too early');
    const bytes = this.#bytes.subarray(this.#position, this.#position + length);
    this.#position += length;
    return bytes;
  }

  text(): string {
    return Buffer.from(this.raw(this.count())).toString();
  }

  /** Nothing may follow. */
  end(): void {
    if (this.left > 0) throw new ChunkFormatError('more bytes follow than were announced');
  }
}
