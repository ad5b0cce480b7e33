import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { MAX_RATIO } from './blocks.ts';

const deflate = promisify(deflateRaw);

/** Of what zlib offers the level beyond which text gets hardly smaller for much more time. */
const LEVEL = 6;
const SAVING_LEVEL = 9;
/** Bytes a millisecond before one was measured: of a slow controller. */
const FIRST_PACE = 4 * 1024;
const PACED_BYTES = 16 * 1024;
/** A pace is believed for so long: the device was busy with something else. */
const PACE_MS = 10_000;

/** Deflates one block after the other on a thread of libuv's: of the device's processor one core at most. */
class Deflater {
  #last: Promise<unknown> = Promise.resolve();
  #pace = FIRST_PACE;
  #pacedAt = 0;

  /** Bytes a millisecond that it takes in. */
  get pace(): number {
    return performance.now() - this.#pacedAt > PACE_MS ? Math.max(this.#pace, FIRST_PACE) : this.#pace;
  }

  /** Deflated alone; undefined where that is no shorter. */
  deflate(body: Buffer, isSaving: boolean): Promise<Buffer | undefined> {
    const done = this.#last.then(() => this.#deflate(body, isSaving ? SAVING_LEVEL : LEVEL));
    this.#last = done.catch(() => {});
    return done;
  }

  async #deflate(body: Buffer, level: number): Promise<Buffer | undefined> {
    const began = performance.now();
    const deflated = await deflate(body, { level });
    this.#notePace(body.length, performance.now() - began);
    if (deflated.length >= body.length) return undefined;
    if (body.length <= deflated.length * MAX_RATIO) return deflated;
    // What follows the end of a deflated stream is not read.
    return Buffer.concat([deflated], Math.ceil(body.length / MAX_RATIO));
  }

  /** Of a short body the way to the other thread would be measured. */
  #notePace(bytes: number, milliseconds: number): void {
    if (bytes < PACED_BYTES) return;
    this.#pace += (bytes / Math.max(0.01, milliseconds) - this.#pace) / 4;
    this.#pacedAt = performance.now();
  }
}

export const deflater = new Deflater();
