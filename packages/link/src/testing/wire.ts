import { Duplex } from 'node:stream';

/** Numbers below `limit`, the same for the same seed (mulberry32). */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** One end of a wire: what is written waits until the wire carries it on. */
class WireEnd extends Duplex {
  readonly sent: Buffer[] = [];
  bytesRead = 0;
  bytesWritten = 0;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.sent.push(chunk);
    this.bytesWritten += chunk.length;
    callback();
  }

  arrive(bytes: Buffer): void {
    if (this.destroyed) return;
    this.bytesRead += bytes.length;
    this.push(bytes);
  }
}

/** A wire between two ends that cuts bytes wherever it likes, keeps their order, and can break and lose what is on it. */
export class Wire {
  readonly a = new WireEnd();
  readonly b = new WireEnd();
  /** What these ends send stays where it is, and neither end is told. */
  readonly silent = { a: false, b: false };
  readonly #random: (limit: number) => number;

  constructor(random: (limit: number) => number) {
    this.#random = random;
    for (const end of [this.a, this.b]) end.on('error', () => {});
  }

  /** Carries a part of what waits in one direction; false when nothing did. */
  step(): boolean {
    const isFromA = this.#random(2) === 0;
    const [from, to] = isFromA ? [this.a, this.b] : [this.b, this.a];
    const [chunk] = from.sent;
    if (!chunk || this.silent[isFromA ? 'a' : 'b']) return false;
    const length = 1 + this.#random(Math.min(chunk.length, 4_000));
    to.arrive(chunk.subarray(0, length));
    if (length === chunk.length) from.sent.shift();
    else from.sent[0] = chunk.subarray(length);
    return true;
  }

  /** Both ends see it break; what is on the way is lost. */
  break(): void {
    this.a.sent.length = 0;
    this.b.sent.length = 0;
    this.a.destroy();
    this.b.destroy();
  }
}
