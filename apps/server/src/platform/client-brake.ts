import { Duplex } from 'node:stream';

/** A piece below it costs more to handle than to carry. */
export const smallBytes = 64;
/** From here on a piece is worth a write of its own. */
const wholeBytes = 1024;
/** Single bytes wait as objects of some 200 bytes each. */
const bufferBytes = 4 * 1024;

/** Takes note of short pieces. Answers for how many milliseconds nothing more is to be read of who sends them. */
export type ChargePieces = (pieces: number) => number;

/**
 * Stands between a client and a device, or behind a device's answer: short pieces that come in one turn of the event loop go on
 * as one, and who sends more of them than there is room for is not read for a while.
 */
export class ClientBrake extends Duplex {
  readonly #charge: ChargePieces;
  #timer: NodeJS.Timeout | undefined;
  #whenRead: (() => void) | undefined;

  constructor(charge: ChargePieces) {
    super({ readableHighWaterMark: 64 * 1024, writableHighWaterMark: bufferBytes });
    this.#charge = charge;
  }

  override _read(): void {
    const whenRead = this.#whenRead;
    this.#whenRead = undefined;
    whenRead?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pass(chunk, chunk.length < smallBytes ? 1 : 0, done);
  }

  /** What came while the last of it was on its way. */
  override _writev(pieces: { chunk: Buffer }[], done: () => void): void {
    const chunks = pieces.map(({ chunk }) => chunk);
    const small = chunks.reduce((count, { length }) => (length < smallBytes ? count + 1 : count), 0);
    this.#pass(Buffer.concat(chunks), small, done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    done(error);
  }

  #pass(bytes: Buffer, small: number, done: () => void): void {
    const waitMs = small > 0 ? this.#charge(small) : 0;
    const go = () => {
      if (waitMs > 0) this.#timer = setTimeout(done, waitMs);
      // The rest of this turn gathers meanwhile.
      else if (bytes.length < wholeBytes) setImmediate(done);
      else done();
    };
    if (this.push(bytes)) go();
    else this.#whenRead = go;
  }
}
