import type { Duplex } from 'node:stream';
import type { StreamPosition } from './frames.ts';
import type { RoundTrips } from './path-estimate.ts';
import type { StreamFinder } from './placement.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionStream } from './session-stream.ts';

/** A socket that counts what goes over it, as those of Node.js do. */
export type CountedSocket = Duplex & { bytesRead?: number; bytesWritten?: number };

export interface ConnectionOptions {
  number: number;
  roundTrips: RoundTrips;
  /** False where both ends first say what they hold. */
  isReady: boolean;
  options: SessionOptions;
}

export type LossReason = 'transport' | 'ping_timeout' | 'protocol' | 'flood';

/** Where the frames of a connection go that are of streams. */
export interface FrameSink extends StreamFinder {
  onCredit(streamId: number, offset: number): void;
  /** What the other end holds; `taken` is the number of the connection that is gone unless all are. */
  onResume(lastStreamId: number, positions: StreamPosition[], taken: number | undefined): void;
  onReset(streamId: number): void;
  /** All bytes of one read have been looked at. */
  endRead(): void;
}

/** What a connection tells its session. */
export interface ConnectionHost<Connection> {
  /** Takes what comes for streams. */
  readonly incoming: FrameSink;
  noteAcknowledged(stream: SessionStream): void;
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
