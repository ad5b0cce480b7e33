import { ByteBudget } from './byte-budget.ts';
import type { SendQueue } from './send-queue.ts';

/** Of one session: windows beyond the first, and bytes that are kept until they are acknowledged. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const KEPT_BYTES = 8 * 1024 * 1024;
/** One stream keeps so much in any case, and so much beyond what is on its way if there is room. */
const LEAST_KEPT_BYTES = 16 * 1024;
const AHEAD_BYTES = 64 * 1024;

/** What the streams of a session may hold in memory. */
export class SessionMemory {
  readonly #windows = new ByteBudget(WINDOW_BYTES);
  readonly #kept: ByteBudget;

  constructor(shared: ByteBudget | undefined) {
    this.#kept = new ByteBudget(KEPT_BYTES, shared);
  }

  /** Whether so much more may wait for its reader. Most windows are empty: only of this session they are bounded. */
  takeWindow(bytes: number): boolean {
    return !this.#kept.isSpent && this.#windows.take(bytes);
  }

  giveWindowBack(bytes: number): void {
    this.#windows.add(-bytes);
  }

  /** Bytes that are kept until they are acknowledged, more or fewer. */
  noteKept(bytes: number): void {
    this.#kept.add(bytes);
  }

  /** Whether this stream may keep more than it has; `bound` is what may be on its way. */
  mayKeep({ sending, credit }: { sending: SendQueue; credit: number }, bound: number): boolean {
    const { kept, written } = sending;
    if (kept < LEAST_KEPT_BYTES) return true;
    // What its reader has not asked for yet would only take the room of others.
    if (this.#kept.isSpent || written >= credit + LEAST_KEPT_BYTES) return false;
    return kept < bound + AHEAD_BYTES;
  }
}
