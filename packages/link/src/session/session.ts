import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { type LinkCloseReason, ServiceError } from '../link-error.ts';
import { ByteBudget } from './byte-budget.ts';
import { formatGoodbye, formatOffset, formatResume, frameTypes, type StreamPosition } from './frames.ts';
import { formatGoodbyeText, type Goodbye, parseGoodbyeText } from './goodbye.ts';
import { Liveness, type LivenessOptions } from './liveness.ts';
import { RoundTrips } from './path-estimate.ts';
import { type Priority, Scheduler } from './scheduler.ts';
import { type ConnectionHost, SessionConnection } from './session-connection.ts';
import { SessionStream, type StreamHost } from './session-stream.ts';

/** Streams a session has open at a time; further ones wait. */
export const MAX_STREAMS = 128;
/** Those whose last bytes are not acknowledged come on top. */
const MAX_KNOWN_STREAMS = 4096;
/** Of one session: windows beyond the first, and bytes that are kept until they are acknowledged. */
const WINDOW_BYTES = 4 * 1024 * 1024;
const KEPT_BYTES = 2 * 1024 * 1024;
/** One stream keeps so much in any case, and so much beyond what is on its way if there is room. */
const LEAST_KEPT_BYTES = 16 * 1024;
const AHEAD_BYTES = 64 * 1024;
/** A credit further ahead of what is acknowledged is none. */
const MAX_CREDIT_BYTES = 4 * 1024 * 1024;
/** Time a peer gets to close its side after our goodbye. */
const GOODBYE_MS = 1000;

export interface SessionOptions extends LivenessOptions {
  /** A stream of the other end, and the line it begins with. An end without it opens streams itself. */
  onStream?: (stream: SessionStream, line: string) => void;
  /** As what a stream of the other end is sent. */
  classify?: (line: string) => Priority;
  onGoodbye?: (goodbye: Goodbye) => void;
  /** Not of the cloud: what it sends may come from many people. */
  endsFloods?: boolean;
  /** How long it waits for another connection when one is lost; not at all unless told. */
  resumeMs?: number;
  /** It has no connection, or has one again. */
  onWaiting?: (isWaiting: boolean) => void;
  /** Memory that it shares with others. */
  budget?: ByteBudget | undefined;
}

/**
 * What two ends say to each other over one connection after the other: streams that go on where they were, opened by one end.
 * The state machine and its invariants are in docs/adr/0019.
 */
export class Session implements StreamHost, ConnectionHost {
  readonly closed: Promise<LinkCloseReason>;
  readonly #options: SessionOptions;
  readonly #roundTrips = new RoundTrips();
  readonly #scheduler = new Scheduler();
  readonly #streams = new Map<number, SessionStream>();
  readonly #windows: ByteBudget;
  readonly #kept: ByteBudget;
  #connection: SessionConnection | undefined;
  #liveness: Liveness | undefined;
  #lastStreamId = 0;
  /** Streams of ours that are open, and those that wait for one of them to end. */
  #admitted = 0;
  #unadmitted: SessionStream[] = [];
  #touched: SessionStream[] = [];
  #isPumpDue = false;
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
    this.#windows = new ByteBudget(WINDOW_BYTES, options.budget);
    this.#kept = new ByteBudget(KEPT_BYTES, options.budget);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** True once nothing new may be opened. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** True while it has no connection and may get another. */
  get isWaiting(): boolean {
    return this.#connection === undefined && !this.#isOver;
  }

  get bytesIn(): number {
    return this.#bytesIn + (this.#connection?.socket.bytesRead ?? 0);
  }

  get bytesOut(): number {
    return this.#bytesOut + (this.#connection?.socket.bytesWritten ?? 0);
  }

  get roundTripMs(): number {
    return this.#roundTrips.smoothed ?? 0;
  }

  /** Goes on over this connection, in place of the one before. `isResumed`: the other end knows the session too. */
  attach(socket: Duplex, isResumed: boolean): void {
    if (this.#isOver) {
      socket.destroy();
      return;
    }
    const wasWaiting = this.isWaiting;
    this.#leaveConnection()?.destroy();
    clearTimeout(this.#timer);
    const connection = new SessionConnection(socket, this, {
      roundTrips: this.#roundTrips,
      maxStreams: MAX_KNOWN_STREAMS,
      isReady: !isResumed,
      endsFloods: this.#options.endsFloods ?? false,
    });
    this.#connection = connection;
    if (isResumed) connection.write(formatResume(this.#lastStreamId, this.#listPositions()));
    // Its answer is the first measure of the line.
    connection.ping(performance.now());
    this.#liveness = new Liveness(connection, this.#roundTrips, this.#options, () => this.#lose('ping_timeout'));
    if (wasWaiting && isResumed) this.#options.onWaiting?.(false);
    if (socket.destroyed) this.onLost(connection, 'transport');
  }

  /** A new stream that begins with that line. `onHead` is told the line of the answer. */
  open(line: string, openedAs: Priority, onHead: (line: string) => void): SessionStream {
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
    if (stream.isOpener && !stream.isAdmitted && !this.#admit(stream)) return;
    if (!stream.isReady) return;
    this.#scheduler.add(stream);
    this.#pumpSoon();
  }

  #admit(stream: SessionStream): boolean {
    if (this.#admitted >= MAX_STREAMS) {
      if (!this.#unadmitted.includes(stream)) this.#unadmitted.push(stream);
      return false;
    }
    this.#admitted += 1;
    stream.isAdmitted = true;
    return true;
  }

  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    process.nextTick(() => {
      this.#isPumpDue = false;
      this.pump();
    });
  }

  pump(): void {
    const connection = this.#connection;
    if (!connection) return;
    const now = performance.now();
    while (connection.isReady) {
      const stream = this.#scheduler.peek();
      if (!stream) {
        connection.noteIdle(now);
        break;
      }
      if (!stream.isReady) {
        this.#scheduler.remove(stream);
        continue;
      }
      if (!connection.maySend(stream, now)) break;
      if (stream.id === 0) this.#number(stream);
      const bytes = connection.send(stream, now);
      this.#scheduler.note(stream, bytes);
      stream.noteSent(bytes, now);
      if (stream.isReady) this.#scheduler.add(stream);
      this.#liveness?.noteBusy(now);
    }
    connection.flush();
  }

  #number(stream: SessionStream): void {
    this.#lastStreamId += 1;
    stream.id = this.#lastStreamId;
    this.#streams.set(stream.id, stream);
  }

  #unnumber(stream: SessionStream): void {
    this.#streams.delete(stream.id);
    stream.id = 0;
  }

  sendCredit(stream: SessionStream): void {
    if (!this.#connection?.isReady) return;
    this.#connection.write(formatOffset(frameTypes.credit, stream.id, stream.creditGiven));
    this.#pumpSoon();
  }

  sendReset(stream: SessionStream): void {
    if (stream.id > 0) this.#writeReset(stream.id);
  }

  #writeReset(streamId: number): void {
    if (!this.#connection?.isReady) return;
    this.#connection.writeReset(streamId);
    this.#pumpSoon();
  }

  noteClosed(stream: SessionStream): void {
    this.#scheduler.remove(stream);
    if (stream.isAdmitted) {
      stream.isAdmitted = false;
      this.#admitted -= 1;
      const next = this.#unadmitted.shift();
      if (next) this.wake(next);
    } else if (this.#unadmitted.length > 0) {
      this.#unadmitted = this.#unadmitted.filter((other) => other !== stream);
    }
    this.#dropIfOver(stream);
    this.#leaveWhenIdle();
  }

  #dropIfOver(stream: SessionStream): void {
    if (!stream.isOver || this.#streams.get(stream.id) !== stream) return;
    this.#streams.delete(stream.id);
    this.#connection?.forget(stream.id);
  }

  describeCut(cause: Error | undefined): ServiceError {
    return this.#isClosing
      ? new ServiceError('link_closed', this.#reason ?? 'transport')
      : new ServiceError('service_reset', cause?.message);
  }

  takeWindow(bytes: number): boolean {
    return this.#windows.take(bytes);
  }

  giveWindowBack(bytes: number): void {
    this.#windows.add(-bytes);
  }

  noteKept(bytes: number): void {
    this.#kept.add(bytes);
  }

  mayKeep(stream: SessionStream): boolean {
    const { kept, written } = stream.sending;
    if (kept < LEAST_KEPT_BYTES) return true;
    // What its reader has not asked for yet would only take the room of others.
    if (this.#kept.isSpent || written >= stream.credit + LEAST_KEPT_BYTES) return false;
    const bound = this.#connection?.estimate.getBound(performance.now()) ?? 0;
    return kept < bound + AHEAD_BYTES;
  }

  findStream(streamId: number, isOpening: boolean): SessionStream | null | undefined {
    const stream = this.#streams.get(streamId);
    if (stream || streamId <= this.#lastStreamId) return stream;
    const { onStream, classify } = this.#options;
    if (!isOpening || !onStream || this.#streams.size >= MAX_KNOWN_STREAMS) return null;
    // What comes while we leave is refused by what the goodbye says.
    this.#lastStreamId = streamId;
    if (this.#isClosing) {
      this.#writeReset(streamId);
      return undefined;
    }
    const opened = new SessionStream({ id: streamId }, this, (line) => {
      if (classify) opened.openedAs = classify(line);
      onStream(opened, line);
    });
    opened.on('error', () => {});
    this.#streams.set(streamId, opened);
    return opened;
  }

  noteReceived(stream: SessionStream): void {
    if (this.#touched.at(-1) !== stream) this.#touched.push(stream);
  }

  noteAcknowledged(stream: SessionStream): void {
    this.#dropIfOver(stream);
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
    if (stream.isReady) this.#scheduler.add(stream);
  }

  #raiseCredit(stream: SessionStream, offset: number): void {
    if (offset > stream.sending.acknowledged + MAX_CREDIT_BYTES) this.close('protocol');
    else if (offset > stream.credit) stream.credit = offset;
  }

  onReset(streamId: number): void {
    this.#streams.get(streamId)?.cut();
  }

  #listPositions(): StreamPosition[] {
    return [...this.#streams.values()].map(({ id, received, creditGiven }) => ({
      streamId: id,
      received,
      credit: creditGiven,
    }));
  }

  onResume(lastStreamId: number, positions: StreamPosition[]): void {
    const known = new Map(positions.map((position) => [position.streamId, position]));
    for (const stream of [...this.#streams.values()]) {
      const position = known.get(stream.id);
      const { sending } = stream;
      const isUnheard = stream.isOpener && stream.id > lastStreamId;
      if (position || isUnheard) {
        const received = position?.received ?? 0;
        if (received < sending.acknowledged || received > sending.furthest) {
          this.close('protocol');
          return;
        }
        stream.rewind(received);
        // Numbers grow in the order in which streams are sent, which is another one now.
        if (isUnheard) this.#unnumber(stream);
        if (position) this.#raiseCredit(stream, position.credit);
        this.#dropIfOver(stream);
        this.wake(stream);
      } else stream.cut();
      known.delete(stream.id);
    }
    // Those we have cut or are done with, and the other end does not know so yet.
    for (const streamId of known.keys()) if (streamId <= this.#lastStreamId) this.#writeReset(streamId);
    this.#pumpSoon();
  }

  onGoodbye(text: string): void {
    const goodbye = parseGoodbyeText(text);
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
      for (const stream of this.#streams.values()) if (!stream.destroyed) return;
      this.close(this.#reason ?? 'transport');
    });
  }

  /** Asks the peer to leave; what is open may finish. */
  sayGoodbye(goodbye: Goodbye): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#reason ??= goodbye.reason;
    this.#connection?.write(formatGoodbye(formatGoodbyeText(goodbye)));
    this.#connection?.flush();
    this.#isLeaving = true;
    for (const stream of this.#unadmitted.splice(0)) stream.cut();
    this.#leaveWhenIdle();
  }

  /** Cuts what is open, tells the peer why, and closes: at once for a dead or lying peer. */
  close(why: LinkCloseReason): void {
    if (this.#isOver || this.#isEnding) return;
    const isPeerGone = ['ping_timeout', 'transport', 'protocol'].includes(why);
    this.#reason ??= why;
    this.#isClosing = true;
    this.#isEnding = true;
    const connection = this.#connection;
    if (isPeerGone || !connection) {
      this.#finish();
      return;
    }
    this.#cutStreams();
    connection.write(formatGoodbye(formatGoodbyeText({ reason: this.#reason, graceMs: 0 })));
    connection.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#finish(), GOODBYE_MS);
  }

  #cutStreams(): void {
    for (const stream of [...this.#streams.values(), ...this.#unadmitted]) {
      // What has come whole can still be read.
      if (!stream.isWhole) stream.cut();
    }
  }

  onLost(connection: SessionConnection, why: 'transport' | 'protocol' | 'flood'): void {
    if (connection === this.#connection) this.#lose(why);
  }

  /** The connection is gone: the session waits for another, or ends. */
  #lose(why: 'transport' | 'ping_timeout' | 'protocol' | 'flood'): void {
    this.#leaveConnection()?.destroy();
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
    const connection = this.#connection;
    if (!connection) return undefined;
    this.#bytesIn += connection.socket.bytesRead ?? 0;
    this.#bytesOut += connection.socket.bytesWritten ?? 0;
    this.#connection = undefined;
    this.#liveness?.stop();
    for (const stream of this.#streams.values()) stream.connection = undefined;
    return connection;
  }

  #finish(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#isClosing = true;
    this.#reason ??= 'transport';
    this.#leaveConnection()?.destroy();
    this.#isOver = true;
    this.#cutStreams();
    this.#streams.clear();
    this.#resolveClosed(this.#reason);
  }
}
