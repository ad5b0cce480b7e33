import type { ServiceError } from '../link-error.ts';
import type { SessionMemory } from './session-memory.ts';

/** What a stream asks of its session. */
export interface StreamHost<Stream> {
  /** The stream has something to send. */
  wake(stream: Stream): void;
  sendCredit(stream: Stream): void;
  sendReset(stream: Stream): void;
  /** The stream is of no more use to its owner; what is not acknowledged may still be sent. */
  noteClosed(stream: Stream): void;
  /** More of it is acknowledged, or it is of no use to the other end. */
  noteAcknowledged(stream: Stream): void;
  /** The error a reader sees when the stream is cut. */
  describeCut(cause: Error | undefined): ServiceError;
  /** Whether this stream may keep more than it has. */
  mayKeep(stream: Stream): boolean;
  /** Whether so many bytes more of it would leave at once. */
  hasRoom(stream: Stream, bytes: number): boolean;
  /** Bytes a millisecond that its connection carries; 0 until that was measured. */
  getRate(stream: Stream): number;
  readonly memory: SessionMemory;
  /** Milliseconds; 0 until it was measured. */
  readonly roundTripMs: number;
}
