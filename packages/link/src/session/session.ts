import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { type LinkCloseReason, ServiceError } from '../link-error.ts';
import { formatOffset, formatResume, frameTypes, type StreamPosition } from './frames.ts';
import { formatGoodbye, type Goodbye, parseGoodbye } from './goodbye.ts';
import { RoundTrips } from './path-estimate.ts';
import type { Priority } from './priorities.ts';
import { Sender } from './sender.ts';
import { type ConnectionHost, type LossReason, SessionConnection } from './session-connection.ts';
import { SessionMemory } from './session-memory.ts';
import type { SessionOptions } from './session-options.ts';
import { type LineState, SessionStream, type StreamHost } from './session-stream.ts';
import { Streams } from './streams.ts';

/** A credit further ahead of what is acknowledged is none. */
const MAX_CREDIT_BYTES = 16 * 1024 * 1024;
/** Time a peer gets to close its side after our goodbye. */
const GOODBYE_MS = 1000;

/**
 * What two ends say to each other over one connection after the other: streams that go on where they were, opened by one end.
 * The state machine and its invariants are in docs/adr/0019.
 */
export class Session implements StreamHost, ConnectionHost {
  readonly closed: Promise<LinkCloseReason>;
  readonly #options: SessionOptions;
  roundTrips = new RoundTrips();
  readonly #streams = new Streams();
  readonly #sender = new Sender(this.#streams);
  readonly memory: SessionMemory;
  #touched: SessionStream[] = [];
  #reason: LinkCloseReason | undefined;
  #isClosing = false;
  /** It goes once nothing is open; its last word is said. */
  #isLeaving = false;
  #isEnding = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  /** Of connections that are gone. */
  #bytesIn = 0;
  #bytesOut = 0;
  #resolveClosed: (reason: LinkCloseReason) => void = () => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.memory = new SessionMemory(this, options.memory);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get line(): LineState {
    return this.#sender;
  }

  /** True while it has no connection and may get another. */
  get isWaiting(): boolean {
    return this.#sender.connection === undefined && !this.#isOver;
  }

  get bytesIn(): number {
    return this.#bytesIn + (this.#sender.connection?.socket.bytesRead ?? 0);
  }

  get bytesOut(): number {
    return this.#bytesOut + (this.#sender.connection?.socket.bytesWritten ?? 0);
  }

  /** Goes on over this connection, in place of the one before. `isResumed`: the other end knows the session too. */
  attach(socket: Duplex, isResumed: boolean): void {
    if (this.#isOver || this.#isEnding) {
      socket.destroy();
      return;
    }
    const wasWaiting = this.isWaiting;
    this.#leaveConnection()?.destroy();
    clearTimeout(this.#timer);
    // Another connection may take another way.
    this.roundTrips = new RoundTrips();
    const connection = new SessionConnection(socket, this, {
      roundTrips: this.roundTrips,
      isReady: !isResumed,
      options: this.#options,
    });
    this.#sender.connection = connection;
    if (isResumed) connection.write(formatResume(this.#streams.lastId, this.#streams.listPositions()));
    connection.start();
    if (wasWaiting && isResumed) this.#options.onWaiting?.(false);
    if (socket.destroyed) this.onLost(connection, 'transport');
  }

  /** A new stream that begins with that line. `onHead` is told the line of the answer. */
  open(line: string, openedAs: Priority, onHead: (line: string) => void): SessionStream {
    if (this.#streams.isFull) return this.refuse(new ServiceError('service_refused', 'too many streams'));
    // What is open may finish; the next session begins with 1.
    if (this.#streams.isUsedUp) this.sayGoodbye({ reason: 'shutdown', graceMs: 1000 });
    const stream = new SessionStream({ id: 0, openedAs }, this, onHead);
    if (this.#isClosing) stream.cut();
    else stream.write(`${line}\n`);
    return stream;
  }

  /** A stream that was refused before anything was sent. */
  refuse(error: ServiceError): SessionStream {
    return new SessionStream({ id: 0 }, this, () => {}).destroy(error);
  }

  wake(stream: SessionStream): void {
    this.#sender.wake(stream);
  }

  pump(): void {
    this.#sender.pump();
  }

  sendCredit(stream: SessionStream): void {
    // Also before the other end has said what it holds: what we hold was told already, and this is more.
    if (!this.#sender.connection) return;
    this.#sender.connection.write(formatOffset(frameTypes.credit, stream.id, stream.creditGiven));
    this.#sender.soon();
  }

  sendReset(stream: SessionStream): void {
    if (stream.id > 0) this.#writeReset(stream.id);
  }

  #writeReset(streamId: number): void {
    if (!this.#sender.connection?.isReady) return;
    this.#sender.connection.writeReset(streamId);
    this.#sender.soon();
  }

  noteClosed(stream: SessionStream): void {
    if (stream.isReady) this.wake(stream);
    else this.#sender.remove(stream);
    const next = this.#streams.release(stream);
    if (next) this.wake(next);
    this.noteAcknowledged(stream);
    this.#leaveWhenIdle();
  }

  describeCut(cause: Error | undefined): ServiceError {
    return this.#isClosing
      ? new ServiceError('link_closed', this.#reason ?? 'transport')
      : new ServiceError('service_reset', cause?.message);
  }

  mayKeep(stream: SessionStream): boolean {
    const bound = this.#sender.connection?.estimate.getBound(performance.now()) ?? 0;
    return this.memory.mayKeep(stream, bound);
  }

  findStream(streamId: number, isOpening: boolean): SessionStream | null | undefined {
    const stream = this.#streams.get(streamId);
    if (stream || streamId <= this.#streams.lastId) return stream;
    const { onStream, classify } = this.#options;
    if (!isOpening || !onStream || this.#streams.isFull) return null;
    if (this.#isClosing) {
      // The goodbye and this opening have met on the way.
      this.#streams.note(streamId, undefined);
      this.#writeReset(streamId);
      return undefined;
    }
    const opened = new SessionStream({ id: streamId }, this, (line) => {
      if (classify) opened.openedAs = classify(line);
      onStream(opened, line);
    });
    opened.on('error', () => {});
    this.#streams.note(streamId, opened);
    return opened;
  }

  noteReceived(stream: SessionStream): void {
    if (this.#touched.at(-1) !== stream) this.#touched.push(stream);
  }

  noteAcknowledged(stream: SessionStream): void {
    if (this.#streams.dropIfOver(stream)) this.#sender.connection?.forget(stream.id);
  }

  endRead(): void {
    const touched = this.#touched;
    this.#touched = [];
    for (const stream of touched) stream.flush();
    this.pump();
  }

  onCredit(streamId: number, offset: number): void {
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    this.#raiseCredit(stream, offset);
    stream.letWrite();
    this.wake(stream);
  }

  #raiseCredit(stream: SessionStream, offset: number): void {
    if (offset > stream.sending.acknowledged + MAX_CREDIT_BYTES) this.close('protocol');
    else if (offset > stream.credit) stream.credit = offset;
  }

  onReset(streamId: number): void {
    this.#streams.get(streamId)?.cutBehindInput();
  }

  onResume(lastStreamId: number, positions: StreamPosition[]): void {
    const isLawful = this.#streams.resume(lastStreamId, positions, {
      resume: (stream, credit) => {
        this.#raiseCredit(stream, credit);
        this.noteAcknowledged(stream);
        this.wake(stream);
      },
      reset: (streamId) => this.#writeReset(streamId),
    });
    if (!isLawful) this.close('protocol');
    this.#sender.soon();
  }

  onGoodbye(text: string): void {
    const goodbye = parseGoodbye(text);
    this.#isClosing = true;
    this.#reason ??= goodbye?.reason;
    if (goodbye) this.#options.onGoodbye?.(goodbye);
    if (goodbye && goodbye.graceMs > 0) {
      this.#isLeaving = true;
      this.#leaveWhenIdle();
    } else this.close(this.#reason ?? 'transport');
  }

  #leaveWhenIdle(): void {
    if (!this.#isLeaving || this.#isEnding) return;
    setImmediate(() => {
      if (!this.#streams.isUsed) this.close(this.#reason ?? 'transport');
    });
  }

  /** Asks the peer to leave; what is open may finish. */
  sayGoodbye(goodbye: Goodbye): void {
    // Nobody is there to be told, and who comes back would take it for a session that stays.
    if (this.isWaiting) this.close(goodbye.reason);
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#reason ??= goodbye.reason;
    this.#sender.connection?.write(formatGoodbye(goodbye));
    this.#sender.soon();
    this.#isLeaving = true;
    for (const stream of this.#streams.listUnsent()) stream.cut();
    this.#leaveWhenIdle();
  }

  /** Cuts what is open, tells the peer why, and closes: at once for a dead or lying peer. */
  close(why: LinkCloseReason): void {
    if (this.#isOver || this.#isEnding) return;
    const isPeerGone = ['ping_timeout', 'transport', 'protocol'].includes(why);
    this.#reason ??= why;
    this.#isClosing = true;
    this.#isEnding = true;
    const connection = this.#sender.connection;
    if (isPeerGone || !connection) {
      this.#finish();
      return;
    }
    this.#streams.cutOpen();
    connection.write(formatGoodbye({ reason: this.#reason, graceMs: 0 }));
    connection.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#finish(), GOODBYE_MS);
  }

  /** The session waits for another connection, or ends. */
  onLost(connection: SessionConnection, why: LossReason): void {
    if (connection !== this.#sender.connection) return;
    this.#leaveConnection();
    const { resumeMs = 0, onWaiting } = this.#options;
    const mayResume = resumeMs > 0 && !this.#isClosing && (why === 'transport' || why === 'ping_timeout');
    if (!mayResume) {
      this.#reason ??= why;
      this.#finish();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(why), resumeMs);
    onWaiting?.(true);
  }

  #leaveConnection(): SessionConnection | undefined {
    const connection = this.#sender.connection;
    if (!connection) return undefined;
    this.#bytesIn += connection.socket.bytesRead ?? 0;
    this.#bytesOut += connection.socket.bytesWritten ?? 0;
    this.#sender.connection = undefined;
    for (const stream of this.#streams.list()) stream.connection = undefined;
    return connection;
  }

  #finish(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#isClosing = true;
    this.#reason ??= 'transport';
    this.#leaveConnection()?.destroy();
    this.#isOver = true;
    this.#streams.cutOpen();
    this.#streams.clear();
    this.#resolveClosed(this.#reason);
  }
}
