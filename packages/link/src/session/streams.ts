import type { StreamPosition } from './frames.ts';
import type { SessionStream } from './session-stream.ts';

/** Streams of ours that are open at a time unless told; further ones wait. */
const MAX_ADMITTED = 128;
/** Of either end, with those whose last bytes are not acknowledged. */
export const MAX_KNOWN_STREAMS = 4096;
/** Numbers are of 32 bits. Some are left for streams that are opened anew over another connection. */
const LAST_NUMBER = 2 ** 32 - 1 - 2 ** 20;

/** The streams of a session by their numbers, which grow in the order in which streams are opened. */
export class Streams {
  readonly #known = new Map<number, SessionStream>();
  #lastId = 0;
  #admitted = 0;
  /** Those of ours that have no number yet, the ones that wait for others to end among them. */
  readonly #unsent = new Set<SessionStream>();
  readonly #unadmitted = new Set<SessionStream>();
  readonly #maxAdmitted: number;

  constructor(maxAdmitted = MAX_ADMITTED) {
    this.#maxAdmitted = maxAdmitted;
  }

  /** The newest that either end knows of, be it gone since. */
  get lastId(): number {
    return this.#lastId;
  }

  get isFull(): boolean {
    return this.#known.size + this.#unsent.size >= MAX_KNOWN_STREAMS;
  }

  /** True once no number is left for another stream of ours. */
  get isUsedUp(): boolean {
    return this.lastId >= LAST_NUMBER;
  }

  /** True while somebody has one of them open. */
  get isUsed(): boolean {
    for (const stream of this.#known.values()) if (!stream.destroyed) return true;
    return false;
  }

  get(streamId: number): SessionStream | undefined {
    return this.#known.get(streamId);
  }

  /** Those that have a number, as they are now. */
  list(): SessionStream[] {
    return [...this.#known.values()];
  }

  /** Those of which the other end has never heard. */
  listUnsent(): SessionStream[] {
    return [...this.#unsent];
  }

  listAll(): SessionStream[] {
    return [...this.#known.values(), ...this.#unsent];
  }

  /** Whether a stream of ours may be sent; otherwise it waits. */
  admit(stream: SessionStream): boolean {
    // One that is closed is only owed its last bytes, and nobody would release its place.
    if (stream.isAdmitted || stream.destroyed) return true;
    if (stream.id === 0) this.#unsent.add(stream);
    if (this.#admitted >= this.#maxAdmitted) {
      this.#unadmitted.add(stream);
      return false;
    }
    this.#admitted += 1;
    stream.isAdmitted = true;
    return true;
  }

  /** One is closed; the next that may be sent in its place. */
  release(stream: SessionStream): SessionStream | undefined {
    this.#unsent.delete(stream);
    if (!stream.isAdmitted) {
      this.#unadmitted.delete(stream);
      return undefined;
    }
    stream.isAdmitted = false;
    this.#admitted -= 1;
    const [next] = this.#unadmitted;
    if (next) this.#unadmitted.delete(next);
    return next;
  }

  /** Gives a stream of ours the next number. */
  number(stream: SessionStream): void {
    this.#unsent.delete(stream);
    this.#lastId += 1;
    stream.id = this.#lastId;
    this.#known.set(stream.id, stream);
  }

  /** A number that the other end has given. */
  note(streamId: number, stream: SessionStream | undefined): void {
    this.#lastId = streamId;
    if (stream) this.#known.set(streamId, stream);
  }

  /** Forgets it once nothing of it is of use; true when it did. */
  dropIfOver(stream: SessionStream): boolean {
    if (!stream.isOver || this.#known.get(stream.id) !== stream) return false;
    return this.#known.delete(stream.id);
  }

  /** What this end holds of each. */
  listPositions(): StreamPosition[] {
    return this.list().map(({ id, received, creditGiven }) => ({
      streamId: id,
      received,
      credit: creditGiven,
    }));
  }

  /**
   * Takes up each stream that was sent on connection `taken`, on any unless told, where the other end is, and cuts those that
   * it has forgotten. False for positions that it cannot have.
   */
  resume(
    lastStreamId: number,
    positions: readonly StreamPosition[],
    taken: number | undefined,
    { resume, reset }: { resume(stream: SessionStream, credit: number): void; reset(streamId: number): void },
  ): boolean {
    const told = new Map(positions.map((position) => [position.streamId, position]));
    for (const stream of this.list()) {
      const position = told.get(stream.id);
      told.delete(stream.id);
      if (taken !== undefined && stream.route.lost !== taken) {
        // It goes on elsewhere, or waits for another word.
        if (position) resume(stream, position.credit);
        else if (stream.id <= lastStreamId && stream.isWhole) stream.settle();
        continue;
      }
      stream.route.lost = undefined;
      if (position) {
        const { acknowledged, furthest } = stream.sending;
        if (position.received < acknowledged || position.received > furthest) return false;
        stream.rewind(position.received);
        resume(stream, position.credit);
      } else if (stream.isOpener && stream.id > lastStreamId && stream.sending.acknowledged === 0) {
        // Never heard of. Numbers grow in the order of sending, which may be another one now.
        this.#known.delete(stream.id);
        stream.id = 0;
        this.#unsent.add(stream);
        stream.rewind(0);
        resume(stream, stream.credit);
      } else if (stream.isWhole) stream.settle();
      else stream.cut();
    }
    // Those we have cut or are done with, which the other end does not know yet.
    for (const streamId of told.keys()) if (streamId <= this.#lastId) reset(streamId);
    return true;
  }

  /** What has come whole can still be read, also what came in this very read. */
  cutOpen(): void {
    for (const stream of this.listAll()) {
      if (stream.isWhole) stream.flush();
      else stream.cut();
    }
  }

  /** Nothing will be sent any more. */
  clear(): void {
    for (const stream of this.listAll()) stream.forget();
    this.#known.clear();
  }
}
