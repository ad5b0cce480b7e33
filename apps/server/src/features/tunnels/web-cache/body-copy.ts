import type { AnswerStore, Claim } from './answer-store.ts';

/** To begin with, where the length of a body is not told. */
const firstBytes = 16 * 1024;

/**
 * A copy of a body that flows by, in one piece of memory that grows: devices send in pieces of any size, and each piece
 * would hold the whole read that it came with.
 */
export class BodyCopy {
  private readonly store: AnswerStore;
  private readonly claim: Claim;
  private bytes = Buffer.alloc(0);
  private length = 0;
  private isGivenUp = false;

  constructor(store: AnswerStore, claim: Claim) {
    this.store = store;
    this.claim = claim;
  }

  add(chunk: Buffer): void {
    if (this.isGivenUp) return;
    const length = this.length + chunk.length;
    if (length > this.store.limits.perAnswer) {
      this.giveUp();
      return;
    }
    if (length > this.bytes.length) {
      const capacity = Math.min(
        Math.max(firstBytes, 2 * this.bytes.length, length),
        this.store.limits.perAnswer,
      );
      if (!this.store.reserve(this.claim, capacity - this.bytes.length)) {
        this.giveUp();
        return;
      }
      const grown = Buffer.allocUnsafeSlow(capacity);
      this.bytes.copy(grown, 0, 0, this.length);
      this.bytes = grown;
    }
    chunk.copy(this.bytes, this.length);
    this.length = length;
  }

  /** The whole body, in memory of its own size; undefined when it was too much. Only once. */
  take(): Buffer | undefined {
    if (this.isGivenUp) return undefined;
    const body = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(body, 0, 0, this.length);
    this.giveUp();
    return body;
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.store.release(this.claim, this.bytes.length);
    this.bytes = Buffer.alloc(0);
  }
}
