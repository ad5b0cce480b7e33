import type { Duplex } from 'node:stream';
import { formatHeader, frameFlags, frameTypes } from './frames.ts';
import type { SendQueue } from './send-queue.ts';

/** Put together in one buffer, as a copy costs less than a piece. */
const COPY_BYTES = 8 * 1024;
/** What may wait in a socket whose other end does not read: more than data, which wait for it, ever are. */
const MAX_BACKLOG_BYTES = 512 * 1024;

/** What is to be written to a socket, in as few writes as may be. */
export class Outbox {
  readonly #socket: Duplex;
  #pieces: Buffer[] = [];
  bytes = 0;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.bytes += piece.length;
  }

  /** A frame of a stream: so many of its next bytes, and its end where that is all of it. */
  addData(streamId: number, flags: number, length: number, sending: SendQueue): void {
    const header = formatHeader(frameTypes.data, flags, streamId, length);
    this.add(header);
    this.bytes += sending.take(length, this.#pieces);
    if (sending.unsent === 0 && sending.isEndUnsent) {
      header[3] = flags | frameFlags.end;
      sending.takeEnd();
    }
  }

  /** Data wait for the socket; answers to a peer that reads nothing pile up. */
  get isOverfull(): boolean {
    return this.#socket.writableLength > MAX_BACKLOG_BYTES;
  }

  flush(): void {
    const pieces = this.#pieces;
    const { bytes } = this;
    this.clear();
    if (pieces.length === 1 || bytes <= COPY_BYTES) {
      this.#socket.write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, bytes));
      return;
    }
    this.#socket.cork();
    for (const piece of pieces) this.#socket.write(piece);
    this.#socket.uncork();
  }

  clear(): void {
    this.#pieces = [];
    this.bytes = 0;
  }
}
