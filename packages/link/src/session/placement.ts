import { frameFlags, type StreamPosition } from './frames.ts';
import type { SessionStream } from './session-stream.ts';

/** What says where the data of a connection belong. */
interface StreamFinder {
  /** The stream of that number; undefined for one that is gone, null for one that there never was. */
  findStream(streamId: number, isOpening: boolean): SessionStream | null | undefined;
  noteReceived(stream: SessionStream): void;
}

/** Where the frames of a connection go that are of streams. */
export interface FrameSink extends StreamFinder {
  onCredit(streamId: number, offset: number): void;
  /** What the other end holds; `taken` is the number of the connection that is gone unless all are. */
  onResume(lastStreamId: number, positions: StreamPosition[], taken: number | undefined): void;
  onReset(streamId: number): void;
  /** All bytes of one read have been looked at. */
  endRead(): void;
}

/** A stream and the offset of its next byte on this connection. */
interface Place {
  /** Undefined for one that is gone: its bytes go by. */
  stream: SessionStream | undefined;
  offset: number;
}

/**
 * Puts the data of one connection where they belong in their streams. What a stream has already, because it came over a
 * connection before, goes by. Each method returns false for what no honest peer sends.
 */
export class Placement {
  readonly #finder: StreamFinder;
  readonly #places = new Map<number, Place>();
  #current: Place = { stream: undefined, offset: 0 };

  constructor(finder: StreamFinder) {
    this.#finder = finder;
  }

  position(streamId: number, offset: number): boolean {
    const stream = this.#finder.findStream(streamId, false);
    if (stream === null || (stream && offset > stream.received)) return false;
    if (stream) this.#places.set(streamId, { stream, offset });
    else this.#places.delete(streamId);
    return true;
  }

  /** A frame of data begins. */
  begin(streamId: number, flags: number): boolean {
    let place = this.#places.get(streamId);
    if (!place) {
      const isOpening = (flags & frameFlags.open) !== 0;
      const found = this.#finder.findStream(streamId, isOpening);
      // What comes for a closed one that is still owed its last bytes is counted: its position is told when connections are lost.
      const stream = found?.destroyed && found.received > 0 ? undefined : found;
      // Without a position before them they are its first.
      if (stream === null || (stream && stream.received > 0 && !isOpening)) return false;
      place = { stream, offset: 0 };
      if (stream) this.#places.set(streamId, place);
    }
    this.#current = place;
    return true;
  }

  /** The next bytes of the frame. */
  put(piece: Buffer): boolean {
    const { stream, offset } = this.#current;
    this.#current.offset += piece.length;
    if (!stream) return true;
    const known = stream.received - offset;
    if (known < 0 || this.#current.offset > stream.creditGiven) return false;
    if (known >= piece.length) return true;
    if (stream.hasEnd) return false;
    stream.receive(known === 0 ? piece : piece.subarray(known));
    this.#finder.noteReceived(stream);
    return true;
  }

  /** The frame was the last of its stream. */
  end(): boolean {
    const { stream, offset } = this.#current;
    this.#current.offset += 1;
    if (!stream || stream.hasEnd) return true;
    if (stream.received !== offset) return false;
    stream.receiveEnd();
    this.#finder.noteReceived(stream);
    return true;
  }

  /** What still comes for this stream goes by. */
  forget(streamId: number): void {
    this.#places.delete(streamId);
  }

  clear(): void {
    this.#places.clear();
  }
}
