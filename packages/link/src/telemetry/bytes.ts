import { TelemetryFormatError } from './format-error.ts';

/** Seven bits a byte, lowest first: eight bytes hold every safe integer. */
const maxVarintBytes = 8;

/** A column of numbers and texts that grows. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Valid until the next write. */
  read(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  writeByte(byte: number): void {
    this.#reserve(1);
    this.#length = this.#bytes.writeUInt8(byte, this.#length);
  }

  /** Of a safe integer that is not negative. */
  writeVarint(value: number): void {
    this.#reserve(maxVarintBytes);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Near zero on either side is short. */
  writeSigned(value: number): void {
    this.writeVarint(toZigzag(value));
  }

  writeText(text: string): void {
    this.writeVarint(Buffer.byteLength(text));
    this.writeBareText(text);
  }

  /** Its length in bytes is told elsewhere. */
  writeBareText(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Reads what a `ByteWriter` wrote. Throws `TelemetryFormatError` where there is less, or something else. */
export class ByteReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  readByte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw new TelemetryFormatError('ends too early');
    this.#position += 1;
    return byte;
  }

  /** No more than `max`. */
  readVarint(max: number): number {
    let value = 0;
    let factor = 1;
    for (let count = 1; count <= maxVarintBytes; count++) {
      const byte = this.readByte();
      value += (byte % 0x80) * factor;
      if (byte < 0x80) {
        if (value > max) throw new TelemetryFormatError('a number is too large');
        return value;
      }
      factor *= 0x80;
    }
    throw new TelemetryFormatError('a number has no end');
  }

  readSigned(): number {
    return fromZigzag(this.readVarint(Number.MAX_SAFE_INTEGER));
  }

  readText(): string {
    return this.readBareText(this.readVarint(this.#bytes.length));
  }

  readBareText(byteLength: number): string {
    const end = this.#position + byteLength;
    if (end > this.#bytes.length) throw new TelemetryFormatError('a text ends too early');
    const text = this.#bytes.toString('utf8', this.#position, end);
    this.#position = end;
    return text;
  }
}

/** 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 … */
export function toZigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

export function fromZigzag(code: number): number {
  return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
}
