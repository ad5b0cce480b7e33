import type { Duplex } from 'node:stream';
import { countSmallPieces } from '../small-pieces.ts';
import { Arrivals, FLOW_BYTES } from './arrivals.ts';
import { BudgetedReader } from './budgeted-reader.ts';
import {
  type FrameHandler,
  FrameParser,
  formatOffset,
  frameFlags,
  frameTypes,
  HEADER_BYTES,
  type StreamPosition,
} from './frames.ts';
import { formatPong, Liveness, Pings } from './liveness.ts';
import { Outbox } from './outbox.ts';
import { PathEstimate, type RoundTrips } from './path-estimate.ts';
import { type FrameSink, Placement } from './placement.ts';
import { Scheduler } from './scheduler.ts';
import { SentFrames } from './sent-frames.ts';
import type { LossReason, SessionHost } from './session-host.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionStream } from './session-stream.ts';
import { priorities } from './stream-route.ts';
import { MAX_KNOWN_STREAMS } from './streams.ts';

/** Handed to the socket at once. */
const BATCH_BYTES = 128 * 1024;
/** What a shell's stream may go over the bound. */
const SHELL_BYTES = 4096;
/** Frames without data that do nothing: each costs as much as a small piece. */
const IDLE_FRAME_BYTES = 1;

/** A socket that counts what goes over it, as those of Node.js do. */
export type CountedSocket = Duplex & { bytesRead?: number; bytesWritten?: number };

interface ConnectionOptions {
  number: number;
  roundTrips: RoundTrips;
  /** False where both ends first say what they hold. */
  isReady: boolean;
  options: SessionOptions;
}

export type ConnectionHost = SessionHost<SessionStream, SessionConnection> & { readonly incoming: FrameSink };

/** One connection of a session: its frames, what is on its way on it, and how much may be. It owns the socket. */
export class SessionConnection implements FrameHandler {
  readonly socket: CountedSocket;
  /** Grows with each connection of the session, at both ends alike. */
  readonly number: number;
  readonly scheduler = new Scheduler();
  readonly estimate: PathEstimate;
  /** When the last byte came. */
  heardAt = performance.now();
  /** Its data wait until both ends have said what they hold. */
  isReady: boolean;
  readonly #host: ConnectionHost;
  readonly #incoming: FrameSink;
  readonly #reader: BudgetedReader;
  readonly roundTrips: RoundTrips;
  readonly #placement: Placement;
  readonly #outbox: Outbox;
  readonly #sent = new SentFrames();
  readonly #arrivals: Arrivals;
  isClosed = false;
  readonly #pings = new Pings();
  /** When data were sent or came last. */
  usedAt = performance.now();
  #taken: number | undefined;
  /** Since when its silence is more than its line explains. */
  #suspectedAt: number | undefined;
  readonly #liveness: Liveness;
  readonly #countPiece: (bytes: number) => void;

  constructor(
    socket: CountedSocket,
    host: ConnectionHost,
    { number, roundTrips, isReady, options }: ConnectionOptions,
  ) {
    this.socket = socket;
    this.number = number;
    this.#host = host;
    this.#incoming = host.incoming;
    this.roundTrips = roundTrips;
    this.estimate = new PathEstimate(roundTrips);
    this.isReady = isReady;
    this.#placement = new Placement(host.incoming);
    this.#outbox = new Outbox(socket);
    this.#arrivals = new Arrivals(() => {
      this.#acknowledge();
      this.flush();
    });
    const parser = new FrameParser(this, MAX_KNOWN_STREAMS, !isReady);
    this.#reader = new BudgetedReader(socket, parser, () => this.#endTurn());
    const watching = { ...options, canSuspect: options.dialBulk !== undefined };
    this.#liveness = new Liveness(this, roundTrips, watching, () => this.#lose('ping_timeout'));
    this.#countPiece = options.endsFloods ? countSmallPieces(() => this.#lose('flood')) : () => {};
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('drain', () => host.pump());
    socket.on('error', () => this.#lose('transport'));
    // Sockets of an HTTP server stay open after the peer's end, and a reset can arrive as a mere end.
    socket.on('end', () => this.#lose('transport'));
    socket.on('close', () => this.#lose('transport'));
  }

  /** Measures the line for a begin, and watches it from now on. */
  start(): void {
    this.ping(performance.now());
    this.#liveness.start();
  }

  get inFlight(): number {
    return this.#sent.inFlight;
  }

  /** Whether a frame of that stream may go now. */
  maySend(stream: SessionStream, now: number): boolean {
    if (!this.isReady || this.isClosed || this.socket.writableNeedDrain) return false;
    if (this.#outbox.bytes >= BATCH_BYTES) this.flush();
    if (this.socket.writableNeedDrain) return false;
    const bound = this.estimate.getBound(now);
    return this.inFlight < bound + (stream.route.readyAs === priorities.shell ? SHELL_BYTES : 0);
  }

  /** Whether it may send more in a moment although nothing comes until then. */
  isGrowing(now: number): boolean {
    return !this.isClosed && !this.socket.writableNeedDrain && this.estimate.isGrowing(now);
  }

  /** Sends one frame of a stream that has something to send; its bytes. */
  send(stream: SessionStream, now: number): number {
    const { sending } = stream;
    let flags = 0;
    const room = stream.credit - sending.sent;
    const max = Math.min(this.estimate.getFrameBytes(), Math.max(0, room), sending.unsent);
    if (stream.route.connection !== this) {
      stream.route.connection = this;
      if (sending.sent > 0) this.write(formatOffset(frameTypes.position, stream.id, sending.sent));
      else if (stream.isOpener) flags = frameFlags.open;
    }
    this.#outbox.addData(stream.id, flags, max, sending);
    this.usedAt = now;
    this.#liveness.noteBusy(now);
    this.#sent.add(stream, HEADER_BYTES + max, this.estimate.mark(now, this.inFlight));
    return HEADER_BYTES + max;
  }

  /** A stream is gone; what still comes for it goes by. */
  forget(streamId: number): void {
    this.#placement.forget(streamId);
  }

  /** Nothing is left to send. */
  noteIdle(now: number): void {
    if (this.inFlight < this.estimate.getBound(now)) this.estimate.noteIdle(this.inFlight);
  }

  /** A frame without data. */
  write(frame: Buffer): void {
    this.#outbox.add(frame);
  }

  /** Hands what is written to the socket. */
  flush(): void {
    if (this.#outbox.bytes === 0 || this.isClosed || this.socket.writableEnded) return;
    if (this.#arrivals.hasUnreported) this.#acknowledge();
    this.#outbox.flush();
    if (this.#outbox.isOverfull) this.#lose('flood');
  }

  get isFed(): boolean {
    return this.#arrivals.isFed;
  }

  /** Since when it has been suspect; undefined once anything has come. */
  get suspectedAt(): number | undefined {
    const since = this.#suspectedAt;
    return since !== undefined && this.heardAt < since ? since : undefined;
  }

  suspect(now: number): boolean {
    this.#suspectedAt = this.suspectedAt ?? now;
    return this.#host.onSuspect(this, now);
  }

  get pingedAt(): number | undefined {
    return this.#pings.sentAt;
  }

  ping(now: number): void {
    this.write(this.#pings.send(now));
    this.flush();
  }

  /** The same with what others have to say at this occasion: one packet each way instead of two. */
  pingAtEase(now: number): void {
    this.write(this.#pings.send(now));
    this.#host.onQuiet();
    setImmediate(() => this.#host.pump());
  }

  /** Ends it at once and says nothing. */
  destroy(): void {
    this.#shut();
    this.socket.destroy();
  }

  /** Ends it behind what was written; `onLost` tells when the other end has done so too. */
  end(): void {
    this.flush();
    this.socket.end();
  }

  #shut(): void {
    this.isClosed = true;
    this.#reader.stop();
    this.#arrivals.stop();
    this.#liveness.stop();
    this.#placement.clear();
    this.#sent.clear();
    this.#outbox.clear();
  }

  #lose(why: LossReason): void {
    if (this.isClosed) return;
    this.destroy();
    this.#host.onLost(this, why);
  }

  #read(bytes: Buffer): void {
    if (this.isClosed) return;
    this.heardAt = performance.now();
    this.#reader.read(bytes);
  }

  #endTurn(): void {
    if (this.isFed) this.#liveness.onProgress(this.heardAt);
    if (this.#arrivals.endRead(this.roundTrips.isLowLatency, this.heardAt)) this.#acknowledge();
    this.#incoming.endRead();
  }

  #acknowledge(): void {
    this.write(formatOffset(frameTypes.acknowledgement, 0, this.#arrivals.take()));
  }

  onData(streamId: number, flags: number, length: number): void {
    this.#arrivals.bytes += HEADER_BYTES;
    this.usedAt = this.heardAt;
    if (!this.#placement.begin(streamId, flags)) this.#lose('protocol');
    else if (length === 0) this.#endFrame(flags);
    if (length === 0 && (flags & frameFlags.end) === 0) this.#countPiece(IDLE_FRAME_BYTES);
  }

  onPayload(_streamId: number, flags: number, piece: Buffer, rest: number): void {
    this.#arrivals.bytes += piece.length;
    this.#countPiece(piece.length);
    if (this.isClosed) return;
    if (!this.#placement.put(piece)) this.#lose('protocol');
    else if (rest === 0) this.#endFrame(flags);
  }

  #endFrame(flags: number): void {
    if ((flags & frameFlags.end) !== 0 && !this.#placement.end()) this.#lose('protocol');
  }

  onPing(isAnswer: boolean, number: number): void {
    if (!isAnswer) {
      this.#countPiece(IDLE_FRAME_BYTES);
      this.write(formatPong(number));
      return;
    }
    const now = performance.now();
    const roundTripMs = this.#pings.takeAnswer(number, now);
    if (roundTripMs === undefined) {
      this.#countPiece(IDLE_FRAME_BYTES);
      return;
    }
    this.#arrivals.noteAnswer();
    this.roundTrips.add(roundTripMs, now);
  }

  onPosition(streamId: number, offset: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    if (!this.#placement.position(streamId, offset)) this.#lose('protocol');
  }

  onAcknowledgement(bytes: number): void {
    const told = this.#sent.acknowledge(bytes, (stream) => this.#host.noteAcknowledged(stream));
    if (!told) {
      this.#lose('protocol');
      return;
    }
    const { more, mark } = told;
    if (more < FLOW_BYTES) this.#countPiece(IDLE_FRAME_BYTES);
    // A little is acknowledged late, and tells nothing of the line.
    this.estimate.deliver(more, more >= FLOW_BYTES ? mark : undefined, this.heardAt, this.inFlight);
  }

  onGoodbye(text: string): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#host.onGoodbye(text);
  }

  onCredit(streamId: number, offset: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#incoming.onCredit(streamId, offset);
  }

  onResume(lastStreamId: number, positions: StreamPosition[]): void {
    this.isReady = true;
    const taken = this.#taken;
    this.#taken = undefined;
    this.#incoming.onResume(lastStreamId, positions, taken);
  }

  onReset(streamId: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#placement.forget(streamId);
    this.#incoming.onReset(streamId);
  }

  onTake(number: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#taken = number;
    if (!this.#host.onTake(this, number)) this.#lose('protocol');
  }

  onWantBulk(): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    if (!this.#host.onWantBulk()) this.#lose('protocol');
  }

  onBroken(): void {
    this.#lose('protocol');
  }
}
