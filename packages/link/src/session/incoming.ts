import type { StreamPosition } from './frames.ts';
import { formatHeader, frameTypes } from './frames.ts';
import type { Paths } from './paths.ts';
import type { FrameSink } from './placement.ts';
import type { Sender } from './sender.ts';
import type { SessionHost } from './session-host.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionStream } from './session-stream.ts';
import type { Carrier } from './stream-route.ts';
import type { Streams } from './streams.ts';

/** Where so much waits to be handed over, more is coming. */
const FED_BYTES = 8 * 1024;
/** A credit further ahead of what is acknowledged is none. */
const MAX_CREDIT_BYTES = 16 * 1024 * 1024;

/** What the frames that come do to the streams of a session, over whatever connection. */
export class Incoming implements FrameSink {
  readonly #streams: Streams;
  readonly #sender: Sender;
  readonly #paths: Paths;
  readonly #host: SessionHost<SessionStream>;
  readonly #options: SessionOptions;
  #touched: SessionStream[] = [];
  /** Much has come on these; they are handed over when this turn of the loop has read everything. */
  readonly #fed = new Set<SessionStream>();
  #isFlushDue = false;

  constructor(
    parts: { streams: Streams; sender: Sender; paths: Paths },
    host: SessionHost<SessionStream>,
    options: SessionOptions,
  ) {
    this.#streams = parts.streams;
    this.#sender = parts.sender;
    this.#paths = parts.paths;
    this.#host = host;
    this.#options = options;
  }

  findStream(streamId: number, isOpening: boolean): SessionStream | null | undefined {
    const stream = this.#streams.get(streamId);
    if (stream || streamId <= this.#streams.lastId) return stream;
    const { onStream, classify } = this.#options;
    if (!isOpening || !onStream || this.#streams.isFull) return null;
    if (this.#host.isClosing) {
      // The goodbye and this opening have met on the way.
      this.#streams.note(streamId, undefined);
      this.writeReset(streamId);
      return undefined;
    }
    const opened = new SessionStream({ id: streamId }, this.#host, (line) => {
      if (classify) opened.openedAs = classify(line);
      onStream(opened, line);
    });
    this.#streams.note(streamId, opened);
    return opened;
  }

  noteReceived(stream: SessionStream): void {
    if (this.#touched.at(-1) !== stream) this.#touched.push(stream);
  }

  /**
   * All bytes of one read have been looked at. A little is handed over at once. Much waits for the other reads of this turn of the loop:
   * TLS reads a record of 16 kB at a time, and each piece would go all its way by itself, to a write to the kernel at its end.
   */
  endRead(): void {
    const touched = this.#touched;
    this.#touched = [];
    for (const stream of touched) {
      if (stream.unreadBytes < FED_BYTES) stream.flush();
      else this.#feed(stream);
    }
    this.#sender.soon();
  }

  #feed(stream: SessionStream): void {
    this.#fed.add(stream);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => {
      this.#isFlushDue = false;
      this.flush();
    });
  }

  /** Hands over what has come. Whoever is handed something may end the session, which flushes the others first. */
  flush(): void {
    for (const stream of this.#fed) {
      this.#fed.delete(stream);
      stream.flush();
    }
  }

  onCredit(streamId: number, offset: number): void {
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    this.#raiseCredit(stream, offset);
    stream.letWrite();
    this.#sender.wake(stream);
  }

  #raiseCredit(stream: SessionStream, offset: number): void {
    if (offset > stream.sending.acknowledged + MAX_CREDIT_BYTES) this.#host.close('protocol');
    else if (offset > stream.credit) stream.credit = offset;
  }

  onReset(streamId: number): void {
    this.#streams.get(streamId)?.cutBehindInput();
  }

  /** What the other end holds; `taken` is the number of the connection that is gone unless all are. */
  onResume(lastStreamId: number, positions: StreamPosition[], taken: number | undefined): void {
    this.#paths.noteTold(taken);
    const isLawful = this.#streams.resume(lastStreamId, positions, taken, {
      resume: (stream, credit) => {
        this.#raiseCredit(stream, credit);
        this.#host.noteAcknowledged(stream);
      },
      reset: (streamId) => this.writeReset(streamId),
    });
    if (!isLawful) this.#host.close('protocol');
    this.#sender.wakeAll();
    this.#sender.soon();
  }

  /** Behind what the stream has sent, where that is still on its way. */
  writeReset(streamId: number, connection: Carrier | undefined = this.#paths.main): void {
    if (!connection?.isReady) return;
    connection.write(formatHeader(frameTypes.reset, 0, streamId, 0));
    this.#sender.soon();
  }
}
