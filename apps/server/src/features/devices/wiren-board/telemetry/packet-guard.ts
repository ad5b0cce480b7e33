import { Transform, type TransformCallback } from 'node:stream';

/** A longer one is no value of a controller, nor a description of one. */
const MAX_PACKET_BYTES = 256 * 1024;
/** All that a large controller retains comes at once, and then what changes. */
const BURST_BYTES = 8 << 20;
const BYTES_PER_SECOND = 64 * 1024;
/** Of a fixed header: what kind of packet, and up to four bytes of its length (MQTT 3.1.1, 2.2.3). */
const MAX_LENGTH_BYTES = 4;

/**
 * Bytes of a broker on their way to whoever reads packets: a device must not have a packet gathered that fills the memory,
 * nor keep the processor busy with more of them than any honest one has. Packets of more than 256 KiB are an error, and
 * past a burst the bytes wait for their turn.
 */
export class PacketGuard extends Transform {
  /** Bytes of the present packet that are still to come. */
  #left = 0;
  /** Of the length that is being read: its bytes so far, and their sum. */
  #lengthBytes = -1;
  #length = 0;
  #tokens = BURST_BYTES;
  #refilledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (!this.#measure(chunk)) {
      done(new Error('the broker sends a packet that is too large'));
      return;
    }
    this.push(chunk);
    const waitMs = this.#take(chunk.length);
    if (waitMs > 0) this.#timer = setTimeout(done, waitMs);
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  /** False as soon as a packet is too long. */
  #measure(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      const byte = chunk.readUInt8(at);
      at += 1;
      if (this.#lengthBytes === -1) {
        this.#lengthBytes = 0;
        this.#length = 0;
        continue;
      }
      this.#length += (byte & 0x7f) * 128 ** this.#lengthBytes;
      this.#lengthBytes += 1;
      if (this.#length > MAX_PACKET_BYTES || this.#lengthBytes > MAX_LENGTH_BYTES) return false;
      if (byte >= 0x80) continue;
      this.#left = this.#length;
      this.#lengthBytes = -1;
    }
    return true;
  }

  /** How long what comes next has to wait, in milliseconds. */
  #take(bytes: number): number {
    const now = performance.now();
    const refilled = ((now - this.#refilledAt) / 1000) * BYTES_PER_SECOND;
    this.#refilledAt = now;
    this.#tokens = Math.min(BURST_BYTES, this.#tokens + refilled) - bytes;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / BYTES_PER_SECOND) * 1000;
  }
}
