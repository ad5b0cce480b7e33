import { performance } from 'node:perf_hooks';
import { inflateRawSync } from 'node:zlib';
import { BlockFormatError } from './blocks.ts';

/** What all streams of this process may inflate before others have their turn, in milliseconds. */
const TURN_MS = 2;

/**
 * Inflates blocks on the thread that reads them, as small ones cost less there than on their way to another; and a few at a time,
 * as a device may send thousands of them at once.
 */
class SlicedInflation {
  #spentMs = 0;
  #isTurnDue = false;
  #waiting: (() => void)[] = [];

  /** Whether a block may be inflated now; where not, `later` is called when it may, in order of asking. */
  mayInflate(later: () => void): boolean {
    if (this.#spentMs < TURN_MS) return true;
    this.#waiting.push(later);
    return false;
  }

  /** The body of a block of that length. Throws `BlockFormatError`. */
  inflate(bytes: Buffer, bodyBytes: number): Buffer {
    const began = performance.now();
    try {
      const body = inflateRawSync(bytes, { maxOutputLength: bodyBytes, chunkSize: Math.max(64, bodyBytes) });
      if (body.length === bodyBytes) return body;
    } catch (error) {
      throw new BlockFormatError('a block cannot be inflated', { cause: error });
    } finally {
      this.#spentMs += performance.now() - began;
      this.#endTurn();
    }
    throw new BlockFormatError('a block has another length than told');
  }

  #endTurn(): void {
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    setImmediate(() => {
      this.#isTurnDue = false;
      this.#spentMs = 0;
      const waiting = this.#waiting;
      this.#waiting = [];
      // Whoever may still not asks again, behind those that have not been asked.
      for (const [index, later] of waiting.entries()) {
        if (this.#spentMs >= TURN_MS) {
          this.#waiting = [...waiting.slice(index), ...this.#waiting];
          break;
        }
        later();
      }
    });
  }
}

export const inflateInSlices = new SlicedInflation();
