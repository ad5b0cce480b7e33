import type { PathEstimate } from './path-estimate.ts';

/** What goes first; a stream that has sent much becomes `bulk`, whatever it was opened as. */
export const priorities = { shell: 0, page: 1, bulk: 2, telemetry: 3 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];

/** A connection as a stream has it. */
export interface Carrier {
  readonly isReady: boolean;
  readonly estimate: PathEstimate;
  /** When the ping was sent that waits for its answer. */
  readonly pingedAt: number | undefined;
  ping(now: number): void;
  /** A frame without data. */
  write(frame: Buffer): void;
}

/** Over which connection a stream is sent, and where it waits for its turn. */
export class StreamRoute<Stream> {
  /** The connection that its next bytes follow on from. */
  connection: Carrier | undefined;
  /** The number of a connection that is gone with bytes on their way: nothing is sent before the other end says what it has. */
  lost: number | undefined;
  /** It is to change its connection once nothing of it is on its way. */
  isMoving = false;
  readyIn: { remove(stream: Stream): void } | undefined;
  /** As what it waits to be sent. */
  readyAs: Priority | undefined;
}

/** A stream is bulk once it has sent so much without a pause of a second. */
const BULK_BYTES = 64 * 1024;
const PAUSE_MS = 1000;

/** How much a stream sends at a stretch. */
export class StreamPace {
  #recentBytes = 0;
  /** Since when it has had nothing to send; undefined while something waits for the line, which is no pause. */
  #idleSince: number | undefined;

  get isBulk(): boolean {
    return this.#recentBytes > BULK_BYTES;
  }

  /** It has sent so many bytes; `hasMore` waits. */
  note(bytes: number, now: number, hasMore: boolean): void {
    if (this.#idleSince !== undefined && now - this.#idleSince > PAUSE_MS) this.#recentBytes = 0;
    this.#idleSince = hasMore ? undefined : now;
    this.#recentBytes += bytes;
  }
}
