import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { batchLimits } from './batch.ts';
import { ByteWriter } from './bytes.ts';
import { dictionary } from './dictionary.ts';
import { TelemetryFormatError } from './format-error.ts';

/** Both lengths are three bytes at most. */
const maxHeaderBytes = 6;
const firstAllocation = 1024;
const nothing = Buffer.alloc(0);

/** Its length, its length as it is sent, and its bytes: compressed alone, or as they are where the lengths are equal. */
export function packFrame(body: Buffer): Buffer {
  const deflated = deflateRawSync(body, { level: 9, dictionary });
  const isSmaller = deflated.length < body.length && body.length <= deflated.length * batchLimits.ratio;
  const packed = isSmaller ? deflated : body;
  const header = new ByteWriter();
  header.writeVarint(body.length);
  header.writeVarint(packed.length);
  return Buffer.concat([header.read(), packed]);
}

/**
 * Cuts bytes into the bodies of frames, wherever they are cut themselves. Keeps no more than what came of one frame, and
 * makes one body at a time. Throws `TelemetryFormatError`.
 */
export class FrameReader {
  #lengths: number[] = [];
  #length = 0;
  #factor = 1;
  #headerBytes = 0;
  #packed = nothing;
  #filled = 0;

  *read(chunk: Buffer): Generator<Buffer> {
    let position = 0;
    while (position < chunk.length) {
      const packedLength = this.#lengths[1];
      if (packedLength === undefined) {
        this.#readHeader(chunk.readUInt8(position));
        position += 1;
        continue;
      }
      const end = Math.min(chunk.length, position + packedLength - this.#filled);
      if (this.#filled === 0 && end - position === packedLength) {
        yield this.#finish(chunk.subarray(position, end));
      } else {
        this.#keep(chunk.subarray(position, end), packedLength);
        if (this.#filled === packedLength) yield this.#finish(this.#packed.subarray(0, packedLength));
      }
      position = end;
    }
  }

  #readHeader(byte: number): void {
    this.#headerBytes += 1;
    this.#length += (byte % 0x80) * this.#factor;
    this.#factor *= 0x80;
    if (this.#headerBytes > maxHeaderBytes || this.#length > batchLimits.bytes)
      throw new TelemetryFormatError('a batch is too long');
    if (byte >= 0x80) return;
    this.#lengths.push(this.#length);
    this.#length = 0;
    this.#factor = 1;
    const [bodyLength = 0, packedLength] = this.#lengths;
    if (packedLength === undefined) return;
    if (packedLength === 0 || packedLength > bodyLength)
      throw new TelemetryFormatError('a batch is longer than its body');
    if (bodyLength > packedLength * batchLimits.ratio)
      throw new TelemetryFormatError('a batch shrank too much');
  }

  /** Room is made as bytes come: a length alone costs nothing. */
  #keep(part: Buffer, packedLength: number): void {
    const needed = this.#filled + part.length;
    if (needed > this.#packed.length) {
      const room = Math.max(needed, firstAllocation, this.#packed.length * 2);
      const larger = Buffer.alloc(Math.min(packedLength, room));
      this.#packed.copy(larger, 0, 0, this.#filled);
      this.#packed = larger;
    }
    part.copy(this.#packed, this.#filled);
    this.#filled = needed;
  }

  #finish(packed: Buffer): Buffer {
    const [bodyLength = 0] = this.#lengths;
    this.#lengths = [];
    this.#headerBytes = 0;
    this.#packed = nothing;
    this.#filled = 0;
    return packed.length === bodyLength ? packed : inflate(packed, bodyLength);
  }
}

function inflate(packed: Buffer, bodyLength: number): Buffer {
  let body: Buffer;
  try {
    body = inflateRawSync(packed, { dictionary, maxOutputLength: bodyLength });
  } catch (error) {
    throw new TelemetryFormatError('a batch cannot be inflated', { cause: error });
  }
  if (body.length !== bodyLength) throw new TelemetryFormatError('a batch has another length than told');
  return body;
}
