/** One of those who keep bytes until their other ends acknowledge them. */
export interface MemoryHolder {
  readonly kept: number;
  /** Bytes that it has kept and let go so far. */
  readonly released: number;
  /** It has no connection now. */
  readonly isWaiting: boolean;
  giveUp(): void;
}

/** Who keeps most is spared where it lets go of half of that in this time. */
const PATIENCE_MS = 10_000;
/** All are looked at no more often: where it is spent, each write of each of thousands asks. */
const LOOK_MS = 100;
/** Down to this share is freed. */
const FREE_SHARE = 0.75;

/**
 * Memory for the bytes that many sessions keep. Where it is spent, those that keep most go: at once where they have no
 * connection, and otherwise where their other ends take next to nothing. Whoever is only slow waits with all others.
 */
export class SharedMemory {
  readonly #limit: number;
  #taken = 0;
  readonly #holders = new Set<MemoryHolder>();
  /** What each had when the memory was found to be spent. */
  #before = new Map<MemoryHolder, { kept: number; released: number }>();
  #since: number | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  get isSpent(): boolean {
    return this.#taken >= this.#limit;
  }

  /** That holder keeps so many more, or fewer. */
  add(holder: MemoryHolder, bytes: number): void {
    this.#taken += bytes;
    if (holder.kept === 0) this.#holders.delete(holder);
    else if (holder.kept === bytes) this.#holders.add(holder);
    if (bytes > 0) this.look();
  }

  /** Somebody wants more. */
  look(now = performance.now()): void {
    if (!this.isSpent) {
      this.#since = undefined;
      return;
    }
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    this.#free((holder) => holder.isWaiting);
    if (this.#since === undefined) this.#begin(now);
    else if (now - this.#since >= PATIENCE_MS) {
      this.#free((holder) => this.#isStalled(holder));
      this.#begin(now);
    }
  }

  #begin(now: number): void {
    this.#since = now;
    this.#before = new Map(
      [...this.#holders].map((holder) => [holder, { kept: holder.kept, released: holder.released }]),
    );
  }

  #isStalled(holder: MemoryHolder): boolean {
    const before = this.#before.get(holder);
    return before !== undefined && holder.released - before.released < before.kept / 2;
  }

  /** Has the largest of these let go until there is room. */
  #free(isMeant: (holder: MemoryHolder) => boolean): void {
    const meant = [...this.#holders].filter(isMeant).sort((one, other) => other.kept - one.kept);
    let left = this.#taken;
    for (const holder of meant) {
      if (left < this.#limit * FREE_SHARE) return;
      left -= holder.kept;
      this.#holders.delete(holder);
      // Not within a write of its own.
      setImmediate(() => holder.giveUp());
    }
  }
}
