/**
 * Frames of yamux, version 0 (hashicorp/yamux, spec.md): version, type, flags, stream and length, all numbers big-endian. The
 * device link heads its frames alike, but counts offsets instead of windows, and only its server opens streams.
 */

export const frameTypes = { data: 0, windowUpdate: 1, ping: 2, goAway: 3 } as const;
export const frameFlags = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;

const HEADER_BYTES = 12;
/** What either end may send on a new stream, in bytes. */
export const START_WINDOW = 256 * 1024;

export interface FrameHeader {
  type: number;
  flags: number;
  streamId: number;
  /** Of data their bytes, of a window update its bytes, of a ping its number, of a go-away its code. */
  length: number;
}

export function formatHeader({ type, flags, streamId, length }: FrameHeader): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header[0] = 0;
  header[1] = type;
  header.writeUInt16BE(flags, 2);
  header.writeUInt32BE(streamId, 4);
  header.writeUInt32BE(length, 8);
  return header;
}

/** Who takes the frames of one connection. */
export interface FrameHandler {
  /** Of data the payload follows, in pieces. */
  onFrame(header: FrameHeader): void;
  /** `header` is that of its frame; with `rest` 0 it was the last piece. */
  onPayload(header: FrameHeader, piece: Buffer, rest: number): void;
  /** What came is no frame, and nothing after it is looked at. */
  onBroken(): void;
}

/** Reads frames from bytes, however they are cut. Payloads pass through; no more than one header is kept. */
export class FrameReader {
  readonly #handler: FrameHandler;
  #partial: Buffer | undefined;
  /** Of the data whose payload is coming. */
  #header: FrameHeader | undefined;
  /** Bytes that are still to come of the payload. */
  #rest = 0;
  #isStopped = false;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** From now on whatever comes is dropped, also within the bytes that are being read. */
  stop(): void {
    this.#isStopped = true;
    this.#partial = undefined;
  }

  read(bytes: Buffer): void {
    if (this.#partial) {
      bytes = Buffer.concat([this.#partial, bytes]);
      this.#partial = undefined;
    }
    let at = 0;
    while (at < bytes.length && !this.#isStopped) {
      if (this.#header && this.#rest > 0) {
        const piece = bytes.subarray(at, at + this.#rest);
        at += piece.length;
        this.#rest -= piece.length;
        this.#handler.onPayload(this.#header, piece, this.#rest);
      } else if (bytes.length - at < HEADER_BYTES) {
        // A copy: the rest of what was read shall not be kept for a few bytes.
        this.#partial = Buffer.from(bytes.subarray(at));
        return;
      } else {
        this.#readHeader(bytes.subarray(at, at + HEADER_BYTES));
        at += HEADER_BYTES;
      }
    }
  }

  #readHeader(bytes: Buffer): void {
    const header = {
      type: bytes.readUInt8(1),
      flags: bytes.readUInt16BE(2),
      streamId: bytes.readUInt32BE(4),
      length: bytes.readUInt32BE(8),
    };
    // Pings and go-aways are about the session, all else about a stream.
    const isOfSession = header.type === frameTypes.ping || header.type === frameTypes.goAway;
    const isLawful = bytes[0] === 0 && header.type <= frameTypes.goAway && header.flags <= 15;
    if (!isLawful || isOfSession !== (header.streamId === 0)) {
      this.stop();
      this.#handler.onBroken();
      return;
    }
    if (header.type === frameTypes.data) {
      this.#header = header;
      this.#rest = header.length;
    }
    this.#handler.onFrame(header);
  }
}
