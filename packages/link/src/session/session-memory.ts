import type { SendQueue } from './send-queue.ts';
import type { MemoryHolder, SharedMemory } from './shared-memory.ts';

/** Of one session: windows beyond the first, and bytes that are kept until they are acknowledged. */
const WINDOW_BYTES = 8 * 1024 * 1024;
const KEPT_BYTES = 8 * 1024 * 1024;
/** One stream keeps so much in any case, and so much beyond what is on its way if there is room. */
const LEAST_KEPT_BYTES = 16 * 1024;
const AHEAD_BYTES = 64 * 1024;

/** What the streams of a session may hold in memory. */
export class SessionMemory implements MemoryHolder {
  kept = 0;
  released = 0;
  #windows = 0;
  readonly #session: { readonly isWaiting: boolean; close(why: 'memory'): void };
  readonly #shared: SharedMemory | undefined;

  constructor(
    session: { readonly isWaiting: boolean; close(why: 'memory'): void },
    shared: SharedMemory | undefined,
  ) {
    this.#session = session;
    this.#shared = shared;
  }

  get isWaiting(): boolean {
    return this.#session.isWaiting;
  }

  giveUp(): void {
    this.#session.close('memory');
  }

  get #isSpent(): boolean {
    return this.kept >= KEPT_BYTES || (this.#shared?.isSpent ?? false);
  }

  /** Whether so much more may wait for its reader. Most windows are empty: only of this session they are bounded. */
  takeWindow(bytes: number): boolean {
    if (this.#isSpent || this.#windows + bytes > WINDOW_BYTES) return false;
    this.#windows += bytes;
    return true;
  }

  giveWindowBack(bytes: number): void {
    this.#windows -= bytes;
  }

  /** Bytes that are kept until they are acknowledged, more or fewer. */
  noteKept(bytes: number): void {
    if (bytes === 0) return;
    this.kept += bytes;
    if (bytes < 0) this.released -= bytes;
    this.#shared?.add(this, bytes);
  }

  /** Whether this stream may keep more than it has; `bound` is what may be on its way. */
  mayKeep({ sending, credit }: { sending: SendQueue; credit: number }, bound: number): boolean {
    const { kept, written } = sending;
    if (kept < LEAST_KEPT_BYTES) return true;
    // What its reader has not asked for yet would only take the room of others.
    if (written >= credit + LEAST_KEPT_BYTES) return false;
    if (this.#isSpent) {
      this.#shared?.look();
      return false;
    }
    return kept < bound + AHEAD_BYTES;
  }
}
