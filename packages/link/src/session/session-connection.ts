import type { Duplex } from 'node:stream';
import { countSmallPieces } from '../small-pieces.ts';
import { Arrivals, FLOW_BYTES } from './arrivals.ts';
import {
  type FrameHandler,
  FrameParser,
  formatHeader,
  formatOffset,
  frameFlags,
  frameTypes,
  HEADER_BYTES,
  type StreamPosition,
} from './frames.ts';
import { Liveness } from './liveness.ts';
import { Outbox } from './outbox.ts';
import { PathEstimate, type RoundTrips } from './path-estimate.ts';
import { Placement, type StreamFinder } from './placement.ts';
import { SentFrames } from './sent-frames.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionStream } from './session-stream.ts';
import { MAX_KNOWN_STREAMS } from './streams.ts';

/** What may wait in a socket whose other end does not read: more than data, which wait for it, ever are. */
const MAX_BACKLOG_BYTES = 512 * 1024;
/** Handed to the socket at once. */
const BATCH_BYTES = 128 * 1024;
/** What a shell's stream may go over the bound. */
const SHELL_BYTES = 4096;
/** Frames without data that do nothing: each costs as much as a small piece. */
const IDLE_FRAME_BYTES = 1;

type CountedSocket = Duplex & { bytesRead?: number; bytesWritten?: number };

export type LossReason = 'transport' | 'ping_timeout' | 'protocol' | 'flood';

/** What a connection tells its session. */
export interface ConnectionHost extends StreamFinder {
  noteAcknowledged(stream: SessionStream): void;
  onGoodbye(text: string): void;
  onCredit(streamId: number, offset: number): void;
  onResume(lastStreamId: number, positions: StreamPosition[]): void;
  onReset(streamId: number): void;
  /** All bytes of one read have been looked at. */
  endRead(): void;
  /** More may be sent. */
  pump(): void;
  /** It is of no use any more; nothing of it is told after this. */
  onLost(connection: SessionConnection, why: LossReason): void;
}

/** One connection of a session: its frames, what is on its way on it, and how much may be. It owns the socket. */
export class SessionConnection implements FrameHandler {
  readonly socket: CountedSocket;
  readonly estimate: PathEstimate;
  /** When the last byte came. */
  heardAt = performance.now();
  /** Its data wait until both ends have said what they hold. */
  isReady: boolean;
  readonly #host: ConnectionHost;
  readonly #parser: FrameParser;
  readonly #roundTrips: RoundTrips;
  readonly #placement: Placement;
  readonly #outbox: Outbox;
  readonly #sent = new SentFrames();
  readonly #arrivals: Arrivals;
  #isClosed = false;
  /** The ping that waits for its answer. */
  #pingNumber = 0;
  pingedAt: number | undefined;
  readonly #liveness: Liveness;
  readonly #countPiece: (bytes: number) => void;

  constructor(
    socket: CountedSocket,
    host: ConnectionHost,
    { roundTrips, isReady, options }: { roundTrips: RoundTrips; isReady: boolean; options: SessionOptions },
  ) {
    this.socket = socket;
    this.#host = host;
    this.#roundTrips = roundTrips;
    this.estimate = new PathEstimate(roundTrips);
    this.isReady = isReady;
    this.#placement = new Placement(host);
    this.#outbox = new Outbox(socket);
    this.#arrivals = new Arrivals(() => {
      this.#acknowledge();
      this.flush();
    });
    this.#parser = new FrameParser(this, MAX_KNOWN_STREAMS, !isReady);
    this.#liveness = new Liveness(this, roundTrips, options, () => this.#lose('ping_timeout'));
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

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a frame of that stream may go now. */
  maySend(stream: SessionStream, now: number): boolean {
    if (!this.isReady || this.#isClosed || this.socket.writableNeedDrain) return false;
    if (this.#outbox.bytes >= BATCH_BYTES) this.flush();
    if (this.socket.writableNeedDrain) return false;
    const bound = this.estimate.getBound(now);
    return this.inFlight < bound + (stream.readyAs === 0 ? SHELL_BYTES : 0);
  }

  /** Sends one frame of a stream that has something to send; its bytes. */
  send(stream: SessionStream, now: number): number {
    const { sending } = stream;
    let flags = 0;
    const room = stream.credit - sending.sent;
    const max = Math.min(this.estimate.getFrameBytes(), Math.max(0, room), sending.unsent);
    if (stream.connection !== this) {
      stream.connection = this;
      if (sending.sent > 0) this.write(formatOffset(frameTypes.position, stream.id, sending.sent));
      else if (stream.isOpener) flags = frameFlags.open;
    }
    const header = formatHeader(frameTypes.data, flags, stream.id, max);
    this.write(header);
    this.#outbox.addAll(max, (pieces) => sending.take(max, pieces));
    if (sending.unsent === 0 && sending.isEndUnsent) {
      header[3] = flags | frameFlags.end;
      sending.takeEnd();
    }
    this.#liveness.noteBusy(now);
    this.#sent.add(stream, HEADER_BYTES + max, this.estimate.mark(now, this.inFlight));
    return HEADER_BYTES + max;
  }

  /** A stream is gone; what still comes for it goes by. */
  forget(streamId: number): void {
    this.#placement.forget(streamId);
  }

  writeReset(streamId: number): void {
    this.write(formatHeader(frameTypes.reset, 0, streamId, 0));
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
    if (this.#outbox.bytes === 0 || this.#isClosed || this.socket.writableEnded) return;
    if (this.#arrivals.hasUnreported) this.#acknowledge();
    this.#outbox.flush();
    // Data wait for the socket; answers to a peer that reads nothing would pile up.
    if (this.socket.writableLength > MAX_BACKLOG_BYTES) this.#lose('flood');
  }

  ping(now: number): void {
    this.pingedAt = now;
    this.#pingNumber = (this.#pingNumber + 1) >>> 0;
    this.write(formatHeader(frameTypes.ping, 0, 0, this.#pingNumber));
    this.flush();
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
    this.#isClosed = true;
    this.#parser.stop();
    this.#arrivals.stop();
    this.#liveness.stop();
    this.#placement.clear();
    this.#sent.clear();
    this.#outbox.clear();
  }

  #lose(why: LossReason): void {
    if (this.#isClosed) return;
    this.destroy();
    this.#host.onLost(this, why);
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.heardAt = performance.now();
    this.#parser.read(bytes);
    if (this.#isClosed) return;
    this.#arrivals.endRead();
    this.#host.endRead();
  }

  #acknowledge(): void {
    this.write(formatOffset(frameTypes.acknowledgement, 0, this.#arrivals.take()));
  }

  onData(streamId: number, flags: number, length: number): void {
    this.#arrivals.bytes += HEADER_BYTES;
    if (!this.#placement.begin(streamId, flags)) this.#lose('protocol');
    else if (length === 0) this.#endFrame(flags);
    if (length === 0 && (flags & frameFlags.end) === 0) this.#countPiece(IDLE_FRAME_BYTES);
  }

  onPayload(_streamId: number, flags: number, piece: Buffer, rest: number): void {
    this.#arrivals.bytes += piece.length;
    this.#countPiece(piece.length);
    if (this.#isClosed) return;
    if (!this.#placement.put(piece)) this.#lose('protocol');
    else if (rest === 0) this.#endFrame(flags);
  }

  #endFrame(flags: number): void {
    if ((flags & frameFlags.end) !== 0 && !this.#placement.end()) this.#lose('protocol');
  }

  onPing(isAnswer: boolean, number: number): void {
    if (!isAnswer) {
      this.#countPiece(IDLE_FRAME_BYTES);
      this.write(formatHeader(frameTypes.ping, frameFlags.answer, 0, number));
      return;
    }
    if (this.pingedAt === undefined || number !== this.#pingNumber) {
      this.#countPiece(IDLE_FRAME_BYTES);
      return;
    }
    const now = performance.now();
    this.#roundTrips.add(now - this.pingedAt, now);
    this.pingedAt = undefined;
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
    this.#host.onCredit(streamId, offset);
  }

  onResume(lastStreamId: number, positions: StreamPosition[]): void {
    this.isReady = true;
    this.#host.onResume(lastStreamId, positions);
  }

  onReset(streamId: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#placement.forget(streamId);
    this.#host.onReset(streamId);
  }

  onBroken(): void {
    this.#lose('protocol');
  }
}
