import type { PathEstimate } from './path-estimate.ts';
import type { Priority } from './priorities.ts';

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
