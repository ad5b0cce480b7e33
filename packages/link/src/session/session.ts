import type { Duplex } from 'node:stream';
import { type LinkCloseReason, ServiceError } from '../link-error.ts';
import type { TraceRequest } from '../request-trace.ts';
import {
  formatGoodbye,
  formatHeader,
  formatOffset,
  frameTypes,
  type Goodbye,
  parseGoodbye,
} from './frames.ts';
import { Incoming } from './incoming.ts';
import { Paths } from './paths.ts';
import { Sender } from './sender.ts';
import type { SessionConnection } from './session-connection.ts';
import type { LossReason, SessionHost } from './session-host.ts';
import { SessionMemory } from './session-memory.ts';
import type { SessionOptions } from './session-options.ts';
import { SessionStream } from './session-stream.ts';
import type { Priority } from './stream-route.ts';
import { Streams } from './streams.ts';

/** Time a peer gets to close its side after our goodbye. */
const GOODBYE_MS = 1000;

/**
 * What two ends say to each other over one connection after the other: streams that go on where they were, opened by one end.
 * The state machine and its invariants are in docs/adr/0019.
 */
export class Session implements SessionHost<SessionStream, SessionConnection> {
  readonly closed: Promise<LinkCloseReason>;
  readonly #options: SessionOptions;
  readonly #streams: Streams;
  readonly #paths: Paths;
  readonly #sender: Sender;
  readonly incoming: Incoming;
  readonly memory: SessionMemory;
  #reason: LinkCloseReason | undefined;
  isClosing = false;
  /** It goes once nothing is open; its last word is said. */
  #isLeaving = false;
  #isEnding = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #resolveClosed: (reason: LinkCloseReason) => void = () => {};

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#streams = new Streams(options.maxOpen);
    this.memory = new SessionMemory(this, options.memory);
    this.#paths = new Paths(this, this.#streams, options);
    this.#sender = new Sender(this.#streams, this.#paths, () => this.#wantBulk());
    this.incoming = new Incoming(
      { streams: this.#streams, sender: this.#sender, paths: this.#paths },
      this,
      options,
    );
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  hasRoom(stream: SessionStream, bytes: number): boolean {
    return this.#sender.hasRoom(stream, bytes);
  }

  getRate(stream: SessionStream): number {
    return this.#sender.getRate(stream);
  }

  /** True while it has no connection and may get another. */
  get isWaiting(): boolean {
    return this.#paths.main === undefined && !this.#isOver;
  }

  get bytesIn(): number {
    return this.#paths.bytesIn;
  }

  get bytesOut(): number {
    return this.#paths.bytesOut;
  }

  get traceRequest(): TraceRequest | undefined {
    return this.#options.traceRequest;
  }

  get takesTraces(): boolean {
    return this.#options.takesTraces ?? false;
  }

  get roundTripMs(): number {
    return this.#paths.roundTripMs;
  }

  /**
   * Goes on over this connection, in place of those before. `isResumed`: the other end knows the session too. `number` grows with
   * each connection, at both ends alike.
   */
  attach(socket: Duplex, isResumed: boolean, number?: number): void {
    const wasWaiting = this.isWaiting;
    this.#begin(socket, () => this.#paths.attach(socket, isResumed, number), wasWaiting && isResumed);
  }

  /** Has a second connection for bulk, or another instead of it. */
  addBulk(socket: Duplex, number?: number): void {
    this.#begin(socket, () => this.#paths.addBulk(socket, number), this.isWaiting);
    if (this.#paths.leaveSuspect()) this.#failover();
  }

  #begin(socket: Duplex, connect: () => SessionConnection | undefined, isBack: boolean): void {
    const connection = this.#isOver || this.#isEnding ? undefined : connect();
    if (!connection) {
      socket.destroy();
      return;
    }
    clearTimeout(this.#timer);
    connection.start();
    this.#sender.wakeAll();
    if (isBack) this.#options.onWaiting?.(false);
    if (socket.destroyed) this.onLost(connection, 'transport');
  }

  /** A new stream that begins with that line. `onHead` is told the line of the answer. */
  open(line: string, openedAs: Priority, onHead: (line: string) => void): SessionStream {
    if (this.#streams.isFull) return this.refuse(new ServiceError('service_refused', 'too many streams'));
    // What is open may finish; the next session begins with 1.
    if (this.#streams.isUsedUp) this.sayGoodbye({ reason: 'shutdown', graceMs: 1000 });
    const stream = new SessionStream({ id: 0, openedAs }, this, onHead);
    if (this.isClosing) stream.cut();
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
    this.#paths.main?.write(formatOffset(frameTypes.credit, stream.id, stream.creditGiven));
    this.#sender.soon();
  }

  sendReset(stream: SessionStream): void {
    if (stream.id > 0) this.incoming.writeReset(stream.id, stream.route.connection);
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
    return this.isClosing
      ? new ServiceError('link_closed', this.#reason ?? 'transport')
      : new ServiceError('service_reset', cause?.message);
  }

  mayKeep(stream: SessionStream): boolean {
    const connection = stream.route.connection ?? this.#paths.main;
    const bound = connection?.estimate.getBound(performance.now()) ?? 0;
    return this.memory.mayKeep(stream, bound);
  }

  noteAcknowledged(stream: SessionStream): void {
    if (!this.#streams.dropIfOver(stream)) this.#sender.noteAcknowledged(stream);
    else for (const connection of this.#paths.list()) connection.forget(stream.id);
  }

  onGoodbye(text: string): void {
    const goodbye = parseGoodbye(text);
    this.isClosing = true;
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
    if (this.isClosing) return;
    this.isClosing = true;
    this.#reason ??= goodbye.reason;
    this.#paths.main?.write(formatGoodbye(goodbye));
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
    this.isClosing = true;
    this.#isEnding = true;
    const connection = this.#paths.main;
    if (isPeerGone || !connection) {
      this.#finish();
      return;
    }
    this.#cutOpen();
    connection.write(formatGoodbye({ reason: this.#reason, graceMs: 0 }));
    connection.end();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#finish(), GOODBYE_MS);
  }

  /** What has come is handed over before. */
  #cutOpen(): void {
    this.incoming.flush();
    this.#streams.cutOpen();
  }

  /** The session goes on over its other connection, waits for one, or ends. */
  onLost(connection: SessionConnection, why: LossReason): void {
    const isMain = connection === this.#paths.main;
    if (!this.#paths.leave(connection)) return;
    const isBroken = why === 'protocol' || why === 'flood';
    if (!isBroken && this.#paths.main && !(isMain && this.#isEnding)) {
      this.#failover();
      return;
    }
    const { resumeMs = 0, onWaiting } = this.#options;
    if (isBroken || this.isClosing || resumeMs === 0) {
      this.#reason ??= why;
      this.#finish();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(why), resumeMs);
    onWaiting?.(true);
  }

  #failover(): void {
    this.#paths.failover();
    this.#sender.wakeAll();
    this.#sender.soon();
  }

  onIdleBulk(connection: SessionConnection): void {
    this.#paths.drop(connection);
    this.#failover();
  }

  /** Another one is tried beside it; nothing is given up before that is there. */
  onSuspect(connection: SessionConnection, now: number): boolean {
    const living = this.#paths.findLiving(connection, now);
    if (living === 'other') {
      this.#paths.drop(connection);
      this.#failover();
      return true;
    }
    return living === 'asked' || (this.#options.dialBulk?.(true) ?? false);
  }

  onQuiet(): void {
    this.#options.onQuiet?.();
  }

  onTake(connection: SessionConnection, taken: number): boolean {
    return this.#paths.take(connection, taken);
  }

  /** Only a session that can go on has a second connection, and only one end can dial it. */
  #wantBulk(): void {
    const { dialBulk, resumeMs = 0 } = this.#options;
    if (dialBulk) dialBulk(false);
    else if (resumeMs > 0) this.#paths.main?.write(formatHeader(frameTypes.wantBulk, 0, 0, 0));
  }

  onWantBulk(): boolean {
    const { dialBulk } = this.#options;
    if (!this.#paths.bulk) dialBulk?.(false);
    return dialBulk !== undefined;
  }

  #finish(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.isClosing = true;
    this.#reason ??= 'transport';
    this.#paths.destroyAll();
    this.#isOver = true;
    this.#cutOpen();
    this.#streams.clear();
    this.#resolveClosed(this.#reason);
  }
}
