import type { Duplex } from 'node:stream';
import { countSmallPieces } from '../small-pieces.ts';
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
import { PathEstimate, type RoundTrips, type SendMark } from './path-estimate.ts';
import type { SessionStream } from './session-stream.ts';

/** So much that has come is acknowledged at once, be there nothing else to send. */
const ACKNOWLEDGE_BYTES = 4096;
/** From here on somebody is sending for longer, and waits for it. */
const FLOW_BYTES = 1024;
const FLOW_ACKNOWLEDGE_MS = 5;
const QUIET_ACKNOWLEDGE_MS = 1000;
/** Put together in one buffer, as a copy costs less than a piece. */
const COPY_BYTES = 8 * 1024;
/** Handed to the socket at once. */
const BATCH_BYTES = 128 * 1024;
/** What a shell's stream may go over the bound. */
const SHELL_BYTES = 4096;
/** Frames without data that do nothing: each costs as much as a small piece. */
const IDLE_FRAME_BYTES = 1;

type CountedSocket = Duplex & { bytesRead?: number; bytesWritten?: number };

interface SentFrame {
  stream: SessionStream;
  /** Its offset behind the frame. */
  end: number;
  /** Bytes of frames of data written to the connection with it. */
  wire: number;
  mark: SendMark;
}

/** A frame of data that is coming. */
interface Incoming {
  /** Undefined for one that is gone: its bytes go by. */
  stream: SessionStream | undefined;
  offset: number;
}

/** What a connection tells its session. */
export interface ConnectionHost {
  /** The stream of a frame of data; undefined for one that is gone, null for one that there never was. */
  findStream(streamId: number, isOpening: boolean): SessionStream | null | undefined;
  noteReceived(stream: SessionStream): void;
  noteAcknowledged(stream: SessionStream): void;
  onGoodbye(text: string): void;
  onCredit(streamId: number, offset: number): void;
  onResume(lastStreamId: number, positions: StreamPosition[]): void;
  onReset(streamId: number): void;
  /** All bytes of one read have been looked at. */
  endRead(connection: SessionConnection): void;
  /** More may be sent. */
  pump(): void;
  /** It is of no use any more; nothing of it is told after this. */
  onLost(connection: SessionConnection, why: 'transport' | 'protocol' | 'flood', what?: string): void;
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
  readonly #incoming = new Map<number, Incoming>();
  #current: Incoming = { stream: undefined, offset: 0 };
  #out: Buffer[] = [];
  #outBytes = 0;
  #frames: SentFrame[] = [];
  #firstFrame = 0;
  /** Bytes of frames of data: written, acknowledged by the other end, come, acknowledged by us. */
  #wireSent = 0;
  #wireAcknowledged = 0;
  #wireReceived = 0;
  #wireReceivedTold = 0;
  #acknowledgeTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** The ping that waits for its answer. */
  #pingNumber = 0;
  pingedAt: number | undefined;
  readonly #countPiece: (bytes: number) => void;

  constructor(
    socket: CountedSocket,
    host: ConnectionHost,
    options: { roundTrips: RoundTrips; maxStreams: number; isReady: boolean; endsFloods: boolean },
  ) {
    this.socket = socket;
    this.#host = host;
    this.#roundTrips = options.roundTrips;
    this.estimate = new PathEstimate(options.roundTrips);
    this.isReady = options.isReady;
    this.#parser = new FrameParser(this, options.maxStreams);
    this.#countPiece = options.endsFloods ? countSmallPieces(() => this.#lose('flood')) : () => {};
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('drain', () => host.pump());
    socket.on('error', () => this.#lose('transport'));
    // Sockets of an HTTP server stay open after the peer's end, and a reset can arrive as a mere end.
    socket.on('end', () => this.#lose('transport'));
    socket.on('close', () => this.#lose('transport'));
  }

  get inFlight(): number {
    return this.#wireSent - this.#wireAcknowledged;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a frame of that stream may go now. */
  maySend(stream: SessionStream, now: number): boolean {
    if (!this.isReady || this.#isClosed || this.socket.writableNeedDrain) return false;
    if (this.#outBytes >= BATCH_BYTES) this.flush();
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
    sending.take(max, this.#out);
    this.#outBytes += max;
    if (sending.unsent === 0 && sending.isEndUnsent) {
      header[3] = flags | frameFlags.end;
      sending.takeEnd();
    }
    const mark = this.estimate.mark(now, this.inFlight);
    this.#wireSent += HEADER_BYTES + max;
    this.#frames.push({ stream, end: sending.sent, wire: this.#wireSent, mark });
    return HEADER_BYTES + max;
  }

  /** A stream is gone; what still comes for it goes by. */
  forget(streamId: number): void {
    this.#incoming.delete(streamId);
  }

  writeReset(streamId: number): void {
    this.#incoming.delete(streamId);
    this.write(formatHeader(frameTypes.reset, 0, streamId, 0));
  }

  /** Nothing is left to send. */
  noteIdle(now: number): void {
    if (this.inFlight < this.estimate.getBound(now)) this.estimate.noteIdle(this.inFlight);
  }

  /** A frame without data. */
  write(frame: Buffer): void {
    this.#out.push(frame);
    this.#outBytes += frame.length;
  }

  /** Hands what is written to the socket. */
  flush(): void {
    if (this.#out.length === 0 || this.#isClosed) return;
    if (this.#wireReceived > this.#wireReceivedTold) this.#acknowledge();
    const out = this.#out;
    const bytes = this.#outBytes;
    this.#out = [];
    this.#outBytes = 0;
    if (out.length === 1 || bytes <= COPY_BYTES) {
      this.socket.write(out.length === 1 ? (out[0] as Buffer) : Buffer.concat(out, bytes));
      return;
    }
    this.socket.cork();
    for (const piece of out) this.socket.write(piece);
    this.socket.uncork();
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
    clearTimeout(this.#acknowledgeTimer);
    this.#incoming.clear();
    this.#frames = [];
    this.#out = [];
  }

  #lose(why: 'transport' | 'protocol' | 'flood', what?: string): void {
    if (this.#isClosed) return;
    this.destroy();
    this.#host.onLost(this, why, what);
  }

  #read(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.heardAt = performance.now();
    this.#parser.read(bytes);
    if (this.#isClosed) return;
    this.#acknowledgeLater();
    this.#host.endRead(this);
  }

  #acknowledgeLater(): void {
    const untold = this.#wireReceived - this.#wireReceivedTold;
    if (untold === 0) return;
    if (untold >= ACKNOWLEDGE_BYTES) {
      this.#acknowledge();
      return;
    }
    const isFlow = untold >= FLOW_BYTES;
    if (this.#acknowledgeTimer && !isFlow) return;
    clearTimeout(this.#acknowledgeTimer);
    const delayMs = isFlow ? FLOW_ACKNOWLEDGE_MS : QUIET_ACKNOWLEDGE_MS;
    this.#acknowledgeTimer = setTimeout(() => {
      this.#acknowledgeTimer = undefined;
      if (this.#wireReceived > this.#wireReceivedTold) this.#acknowledge();
      this.flush();
    }, delayMs);
  }

  #acknowledge(): void {
    clearTimeout(this.#acknowledgeTimer);
    this.#acknowledgeTimer = undefined;
    this.#wireReceivedTold = this.#wireReceived;
    this.write(formatOffset(frameTypes.acknowledgement, 0, this.#wireReceived));
  }

  onData(streamId: number, flags: number, length: number): void {
    this.#wireReceived += HEADER_BYTES;
    let incoming = this.#incoming.get(streamId);
    if (!incoming) {
      const stream = this.#host.findStream(streamId, (flags & frameFlags.open) !== 0);
      // Without a position before them they are its first.
      if (stream === null || (stream && stream.received > 0 && (flags & frameFlags.open) === 0)) {
        this.#lose('protocol', 'data of no stream');
        return;
      }
      incoming = { stream, offset: 0 };
      if (stream) this.#incoming.set(streamId, incoming);
    }
    this.#current = incoming;
    if (length === 0) this.#takeEnd(flags);
    if (length === 0 && (flags & frameFlags.end) === 0) this.#countPiece(IDLE_FRAME_BYTES);
  }

  onPayload(_streamId: number, flags: number, piece: Buffer, rest: number): void {
    this.#wireReceived += piece.length;
    this.#countPiece(piece.length);
    const { stream, offset } = this.#current;
    if (this.#isClosed) return;
    this.#current.offset += piece.length;
    if (stream) {
      const known = stream.received - offset;
      if (known < 0 || this.#current.offset > stream.creditGiven) {
        this.#lose('protocol', 'data out of place');
        return;
      }
      if (known < piece.length) {
        if (stream.hasEnd) {
          this.#lose('protocol', 'data behind an end');
          return;
        }
        stream.receive(known === 0 ? piece : piece.subarray(known));
        this.#host.noteReceived(stream);
      }
    }
    if (rest === 0) this.#takeEnd(flags);
  }

  #takeEnd(flags: number): void {
    if ((flags & frameFlags.end) === 0) return;
    const { stream, offset } = this.#current;
    this.#current.offset += 1;
    if (!stream || stream.hasEnd) return;
    if (stream.received !== offset) {
      this.#lose('protocol', 'end out of place');
      return;
    }
    stream.receiveEnd();
    this.#host.noteReceived(stream);
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
    const stream = this.#host.findStream(streamId, false);
    if (stream === null || (stream && offset > stream.received)) {
      this.#lose('protocol', 'position out of place');
      return;
    }
    if (stream) this.#incoming.set(streamId, { stream, offset });
    else this.#incoming.delete(streamId);
  }

  onAcknowledgement(bytes: number): void {
    const more = bytes - this.#wireAcknowledged;
    if (more < 0 || bytes > this.#wireSent) {
      this.#lose('protocol', 'acknowledgement of what was not sent');
      return;
    }
    if (more < FLOW_BYTES) this.#countPiece(IDLE_FRAME_BYTES);
    this.#wireAcknowledged = bytes;
    let last: SentFrame | undefined;
    for (;;) {
      const frame = this.#frames[this.#firstFrame];
      if (!frame || frame.wire > bytes) break;
      this.#firstFrame += 1;
      last = frame;
      frame.stream.acknowledge(frame.end);
      this.#host.noteAcknowledged(frame.stream);
    }
    if (this.#firstFrame > 256 || this.#firstFrame === this.#frames.length) {
      this.#frames.splice(0, this.#firstFrame);
      this.#firstFrame = 0;
    }
    // A little is acknowledged late, and tells nothing of the line.
    this.estimate.deliver(more, more >= FLOW_BYTES ? last?.mark : undefined, this.heardAt, this.inFlight);
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
    if (this.isReady) {
      this.#lose('protocol', 'resume out of place');
      return;
    }
    this.isReady = true;
    this.#host.onResume(lastStreamId, positions);
  }

  onReset(streamId: number): void {
    this.#countPiece(IDLE_FRAME_BYTES);
    this.#incoming.delete(streamId);
    this.#host.onReset(streamId);
  }

  onBroken(what: string): void {
    this.#lose('protocol', what);
  }
}
