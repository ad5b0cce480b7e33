import type { LinkCloseReason, ServiceError } from '../link-error.ts';
import type { SessionMemory } from './session-memory.ts';

export type LossReason = 'transport' | 'ping_timeout' | 'protocol' | 'flood';

/** What the streams and connections of a session tell it, and ask of it. Everything else goes down: from session to connection to stream. */
export interface SessionHost<Stream, Connection = unknown> {
  /** Nothing is opened any more. */
  readonly isClosing: boolean;
  close(why: LinkCloseReason): void;
  readonly memory: SessionMemory;
  /** Milliseconds; 0 until it was measured. */
  readonly roundTripMs: number;

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

  onGoodbye(text: string): void;
  /** The other end says that a connection is gone, and this one goes on for it; false for what cannot be. */
  onTake(connection: Connection, taken: number): boolean;
  /** The other end asks for a connection for bulk; false where it may not. */
  onWantBulk(): boolean;
  /** That connection for bulk has had none for long. */
  onIdleBulk(connection: Connection): void;
  /** It is silent for longer than its line explains; true while another one is tried. */
  onSuspect(connection: Connection, now: number): boolean;
  /** It is going to ping because nobody says anything. */
  onQuiet(): void;
  /** More may be sent. */
  pump(): void;
  /** It is of no use any more; nothing of it is told after this. */
  onLost(connection: Connection, why: LossReason): void;
}
