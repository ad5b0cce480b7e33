import type { Duplex } from 'node:stream';

/** Put together in one buffer, as a copy costs less than a piece. */
const COPY_BYTES = 8 * 1024;

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

  /** Pieces that somebody else puts in, of so many bytes in all. */
  addAll(bytes: number, put: (pieces: Buffer[]) => void): void {
    put(this.#pieces);
    this.bytes += bytes;
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
