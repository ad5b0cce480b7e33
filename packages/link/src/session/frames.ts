import { type LinkCloseReason, linkCloseReasons } from '../link-error.ts';

/**
 * Frames of a session, headed as yamux does (hashicorp/yamux, spec.md): version, type, flags, stream, length. All numbers are
 * big-endian. Types from 4 on are ours; an offset is 6 bytes.
 */

export const frameTypes = {
  /** Bytes of a stream. */
  data: 0,
  /** `length` is any number; the answer carries the same. */
  ping: 2,
  /** Why an end leaves, and over how long its peers may spread their return. */
  goodbye: 3,
  /** The next data of this stream on this connection begin at this offset. */
  position: 4,
  /** This stream may be sent up to this offset; its end needs none. */
  credit: 5,
  /** So many bytes of frames of data have come on this connection. */
  acknowledgement: 6,
  /** What an end holds of each stream; behind `take`, and the first frame on a connection that goes on with a session. */
  resume: 7,
  /** This stream is cut. */
  reset: 8,
  /** The connection of this number is gone, and this one carries on what it carried. What this end holds follows. */
  take: 9,
  /** Bulk is worth a connection of its own, which only the device can dial. */
  wantBulk: 10,
} as const;

export const frameFlags = { open: 1, answer: 2, end: 4 } as const;

export const HEADER_BYTES = 12;
const OFFSET_BYTES = 6;
/** Most that one frame of data carries. */
const MAX_DATA_BYTES = 64 * 1024;
const MAX_GOODBYE_BYTES = 64;

/** What an end holds of a stream: the next offset it wants, and up to which it takes. */
export interface StreamPosition {
  streamId: number;
  received: number;
  credit: number;
}

const POSITION_BYTES = 4 + 2 * OFFSET_BYTES;

/** The header alone of a frame, whose payload of that length follows. */
function writeHeader(
  target: Buffer,
  at: number,
  type: number,
  flags: number,
  streamId: number,
  length: number,
): void {
  target[at] = 0;
  target[at + 1] = type;
  target[at + 2] = 0;
  target[at + 3] = flags;
  target.writeUInt32BE(streamId, at + 4);
  target.writeUInt32BE(length, at + 8);
}

export function formatHeader(type: number, flags: number, streamId: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  writeHeader(header, 0, type, flags, streamId, length);
  return header;
}

/** A frame that carries one offset: a position, a credit or an acknowledgement. */
export function formatOffset(type: number, streamId: number, offset: number): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + OFFSET_BYTES);
  writeHeader(frame, 0, type, 0, streamId, OFFSET_BYTES);
  frame.writeUIntBE(offset, HEADER_BYTES, OFFSET_BYTES);
  return frame;
}

/** A frame of a few words. */
export function formatText(type: number, text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([formatHeader(type, 0, 0, payload.length), payload]);
}

/** `lastStreamId` is the newest stream that this end knows of, be it gone since. */
export function formatResume(lastStreamId: number, positions: readonly StreamPosition[]): Buffer {
  const length = positions.length * POSITION_BYTES;
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  writeHeader(frame, 0, frameTypes.resume, 0, lastStreamId, length);
  let at = HEADER_BYTES;
  for (const { streamId, received, credit } of positions) {
    frame.writeUInt32BE(streamId, at);
    frame.writeUIntBE(received, at + 4, OFFSET_BYTES);
    frame.writeUIntBE(credit, at + 4 + OFFSET_BYTES, OFFSET_BYTES);
    at += POSITION_BYTES;
  }
  return frame;
}

function parseResume(payload: Buffer): StreamPosition[] {
  const positions: StreamPosition[] = [];
  for (let at = 0; at < payload.length; at += POSITION_BYTES) {
    positions.push({
      streamId: payload.readUInt32BE(at),
      received: payload.readUIntBE(at + 4, OFFSET_BYTES),
      credit: payload.readUIntBE(at + 4 + OFFSET_BYTES, OFFSET_BYTES),
    });
  }
  return positions;
}

/** Who takes the frames of one connection. What is of no known form is an error of the peer, and nothing follows it. */
export interface FrameHandler {
  /** A frame of data begins; its payload comes in pieces, the last of which brings the rest down to 0. */
  onData(streamId: number, flags: number, length: number): void;
  onPayload(streamId: number, flags: number, piece: Buffer, rest: number): void;
  onPing(isAnswer: boolean, number: number): void;
  onGoodbye(text: string): void;
  onPosition(streamId: number, offset: number): void;
  onCredit(streamId: number, offset: number): void;
  onAcknowledgement(bytes: number): void;
  onResume(lastStreamId: number, positions: StreamPosition[]): void;
  onReset(streamId: number): void;
  /** What the other end holds follows at once. */
  onTake(connectionNumber: number): void;
  onWantBulk(): void;
  onBroken(): void;
}

/**
 * Reads the frames of one connection from its bytes, however they are cut. Data pass through as they come; of the rest at
 * most one frame is kept, of a length that each type limits.
 */
export class FrameParser {
  readonly #handler: FrameHandler;
  readonly #maxResumeBytes: number;
  /** The begin of a header, or of a frame that is short. */
  #partial: Buffer | undefined;
  /** The frame of data whose payload is coming. */
  #streamId = 0;
  #flags = 0;
  #rest = 0;
  #isStopped = false;
  #awaitsResume: boolean;

  /** `isResumed`: the first frame is what the other end holds. */
  constructor(handler: FrameHandler, maxStreams: number, isResumed: boolean) {
    this.#handler = handler;
    this.#maxResumeBytes = maxStreams * POSITION_BYTES;
    this.#awaitsResume = isResumed;
  }

  /** From now on whatever comes is dropped, also within the bytes that are being read. */
  stop(): void {
    this.#isStopped = true;
    this.#partial = undefined;
  }

  /** Reads so many frames at most, and returns the bytes behind them, which are to be read next. */
  read(bytes: Buffer, maxFrames = Number.POSITIVE_INFINITY): Buffer | undefined {
    let at = 0;
    let frames = 0;
    if (this.#partial) {
      const whole = Buffer.concat([this.#partial, bytes]);
      this.#partial = undefined;
      bytes = whole;
    }
    while (at < bytes.length && !this.#isStopped) {
      if (frames >= maxFrames) return bytes.subarray(at);
      if (this.#rest > 0) {
        const piece = bytes.subarray(at, at + this.#rest);
        at += piece.length;
        this.#rest -= piece.length;
        this.#handler.onPayload(this.#streamId, this.#flags, piece, this.#rest);
        continue;
      }
      const used = bytes.length - at < HEADER_BYTES ? 0 : this.#readFrame(bytes, at);
      if (used === 0) {
        // A copy: the rest of what was read shall not be kept for a few bytes.
        if (!this.#isStopped) this.#partial = Buffer.from(bytes.subarray(at));
        return undefined;
      }
      at += used;
      frames += 1;
    }
    return undefined;
  }

  /** Bytes of the frame that begins there; 0 when it is not whole yet, or broken. */
  #readFrame(bytes: Buffer, at: number): number {
    const type = bytes.readUInt8(at + 1);
    const flags = bytes.readUInt16BE(at + 2);
    const streamId = bytes.readUInt32BE(at + 4);
    const length = bytes.readUInt32BE(at + 8);
    if (bytes[at] !== 0 || (type === frameTypes.resume) !== this.#awaitsResume) return this.#break();
    if (type === frameTypes.data) {
      if (length > MAX_DATA_BYTES || flags > 7) return this.#break();
      this.#streamId = streamId;
      this.#flags = flags;
      this.#rest = length;
      this.#handler.onData(streamId, flags, length);
      return HEADER_BYTES;
    }
    if (type === frameTypes.ping) {
      this.#handler.onPing(flags === frameFlags.answer, length);
      return HEADER_BYTES;
    }
    if (!this.#isLawful(type, length)) return this.#break();
    if (bytes.length - at < HEADER_BYTES + length) return 0;
    this.#handle(type, streamId, bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length));
    return HEADER_BYTES + length;
  }

  #isLawful(type: number, length: number): boolean {
    switch (type) {
      case frameTypes.position:
      case frameTypes.credit:
      case frameTypes.acknowledgement:
        return length === OFFSET_BYTES;
      case frameTypes.reset:
      case frameTypes.take:
      case frameTypes.wantBulk:
        return length === 0;
      case frameTypes.goodbye:
        return length <= MAX_GOODBYE_BYTES;
      case frameTypes.resume:
        return length <= this.#maxResumeBytes && length % POSITION_BYTES === 0;
      default:
        return false;
    }
  }

  #handle(type: number, streamId: number, payload: Buffer): void {
    const handler = this.#handler;
    const readOffset = () => payload.readUIntBE(0, OFFSET_BYTES);
    if (type === frameTypes.position) handler.onPosition(streamId, readOffset());
    else if (type === frameTypes.credit) handler.onCredit(streamId, readOffset());
    else if (type === frameTypes.acknowledgement) handler.onAcknowledgement(readOffset());
    else if (type === frameTypes.reset) handler.onReset(streamId);
    else if (type === frameTypes.goodbye) handler.onGoodbye(payload.toString('latin1'));
    else if (type === frameTypes.wantBulk) handler.onWantBulk();
    else if (type === frameTypes.take) {
      this.#awaitsResume = true;
      handler.onTake(streamId);
    } else {
      this.#awaitsResume = false;
      handler.onResume(streamId, parseResume(payload));
    }
  }

  #break(): 0 {
    this.stop();
    this.#handler.onBroken();
    return 0;
  }
}

/** A goodbye of the peer; `graceMs` is the time over which a fleet should spread its return, 0 when it leaves at once. */
export interface Goodbye {
  reason: LinkCloseReason;
  graceMs: number;
}

export function formatGoodbye({ reason, graceMs }: Goodbye): Buffer {
  return formatText(frameTypes.goodbye, `${reason} ${graceMs}`);
}

export function parseGoodbye(text: string): Goodbye | null {
  const [, word, digits] = /^([a-z_]{1,20}) ([0-9]{1,7})$/.exec(text) ?? [];
  const reason = linkCloseReasons.find((known) => known === word);
  return reason ? { reason, graceMs: Number(digits) } : null;
}
