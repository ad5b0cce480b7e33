import type { Duplex } from 'node:stream';
import { countSmallPieces } from '@pult/link';
import {
  type FrameHandler,
  type FrameHeader,
  FrameReader,
  formatHeader,
  frameFlags,
  frameTypes,
} from './frames.ts';
import { type StreamHost, YamuxStream } from './stream.ts';

export interface YamuxOptions {
  /** Takes each stream that the other end opens. */
  onStream(stream: YamuxStream): void;
  /** Open at a time. */
  maxStreams?: number;
  /** After so long a silence the other end is asked whether it is there, in milliseconds. */
  silenceMs?: number;
  /** And it has so long to answer. */
  answerMs?: number;
}

/** Bytes of one frame: so long everybody else waits for its place. */
const FRAME_BYTES = 16 * 1024;
/** What waits in the socket at most before streams wait themselves: answers to pings go behind it. */
const SOCKET_BYTES = 64 * 1024;
/** Acknowledgements, resets and pongs do not wait for their turn: so much of them, unread, ends the session. */
const MAX_UNREAD = 1024 * 1024;
/** Small pieces that a stream costs, by its opening and its end alone: some 2,000 at once, and then 1,000 a second. */
const STREAM_WEIGHT = 16;
const GO_AWAY_NORMAL = 0;
/** Whoever does not take the last words holds the connection no longer, in milliseconds. */
const FAREWELL_MS = 1_000;

/**
 * Why a session ended. `transport`: it broke or was closed without a word. `protocol`: the client sent what no honest one sends; `flood`:
 * more of it than any honest one sends. `shutdown`: one end said goodbye. The others are reasons of whoever closes it.
 */
export type YamuxCloseReason =
  | 'transport'
  | 'protocol'
  | 'flood'
  | 'shutdown'
  | 'ping_timeout'
  | 'replaced'
  | 'revoked'
  | 'memory';

/**
 * The server's end of a yamux session over a connection that it owns. Streams are opened by the other end alone. Whatever
 * breaks the protocol ends this session and nothing else.
 */
export class YamuxSession implements FrameHandler, StreamHost {
  readonly closed: Promise<YamuxCloseReason>;
  bytesIn = 0;
  bytesOut = 0;
  readonly #socket: Duplex;
  readonly #options: Required<YamuxOptions>;
  readonly #reader = new FrameReader(this);
  readonly #streams = new Map<number, YamuxStream>();
  /** Streams that can send, in the order of their turns. */
  #ready: YamuxStream[] = [];
  #touched: YamuxStream[] = [];
  #hasGoneAway = false;
  #isClosed = false;
  #isBlocked = false;
  #resolveClosed: (reason: YamuxCloseReason) => void = () => {};
  #timer: NodeJS.Timeout;
  #hasHeard = true;
  #isAsked = false;
  readonly #countPiece = countSmallPieces(() => this.close('flood'));

  constructor(socket: Duplex, options: YamuxOptions) {
    this.#socket = socket;
    this.#options = { maxStreams: 256, silenceMs: 35_000, answerMs: 10_000, ...options };
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#timer = setTimeout(() => this.#lookForLife(), this.#options.silenceMs);
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.on('drain', () => this.#pump());
    socket.on('error', () => {});
    const onEnd = () => this.close(this.#hasGoneAway ? 'shutdown' : 'transport');
    socket.once('end', onEnd);
    socket.once('close', onEnd);
  }

  /** Cuts what is open and closes the connection. */
  close(reason: YamuxCloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#reader.stop();
    for (const stream of [...this.#streams.values()]) stream.cut(new Error('the connection is closed'));
    this.#ready = [];
    if (reason === 'shutdown') {
      this.#write(formatHeader({ type: frameTypes.goAway, flags: 0, streamId: 0, length: GO_AWAY_NORMAL }));
    }
    if (reason === 'shutdown' || reason === 'revoked') this.#part();
    else this.#socket.destroy();
    this.#resolveClosed(reason);
  }

  /** Ends the connection behind what was written: a go-away, or why somebody is not let in. */
  #part(): void {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #receive(bytes: Buffer): void {
    this.bytesIn += bytes.length;
    this.#hasHeard = true;
    this.#reader.read(bytes);
    const touched = this.#touched;
    this.#touched = [];
    for (const stream of touched) stream.flush();
  }

  onFrame(header: FrameHeader): void {
    if (header.type !== frameTypes.data || header.length === 0) this.#countPiece(0);
    if (header.type === frameTypes.ping) this.#onPing(header);
    else if (header.type === frameTypes.goAway) this.#onGoAway(header);
    else this.#onStreamFrame(header);
  }

  onPayload({ streamId, flags }: FrameHeader, piece: Buffer, rest: number): void {
    this.#countPiece(piece.length);
    const stream = this.#streams.get(streamId);
    if (!stream) return;
    if (!stream.receive(piece)) {
      this.close('protocol');
      return;
    }
    if (rest === 0 && flags & frameFlags.fin) stream.receiveEnd();
    if (this.#touched.at(-1) !== stream) this.#touched.push(stream);
  }

  onBroken(): void {
    this.close('protocol');
  }

  #onPing({ flags, length }: FrameHeader): void {
    if (!(flags & frameFlags.syn)) return;
    this.#write(formatHeader({ type: frameTypes.ping, flags: frameFlags.ack, streamId: 0, length }));
  }

  #onGoAway({ length }: FrameHeader): void {
    if (length === GO_AWAY_NORMAL) this.#hasGoneAway = true;
    else this.close('transport');
  }

  #onStreamFrame({ type, flags, streamId, length }: FrameHeader): void {
    if (flags & frameFlags.syn && !this.#open(streamId)) return;
    const stream = this.#streams.get(streamId);
    // A stream that is gone here may not be gone there yet: its frames are dropped, with their payload.
    if (!stream) return;
    if (type === frameTypes.windowUpdate && length > 0) {
      if (!stream.grow(length)) {
        this.close('protocol');
        return;
      }
      this.wake(stream);
    }
    const hasPayload = type === frameTypes.data && length > 0;
    if (flags & frameFlags.rst) stream.cut(new Error('cut by the device'));
    else if (flags & frameFlags.fin && !hasPayload) {
      stream.receiveEnd();
      this.#touched.push(stream);
    }
  }

  /**
   * False where no stream is opened. An even number (the server's) or an open one ends the session. Other numbers come in any order: Go's
   * yamux takes one before it sends the SYN, and a later SYN may overtake it. A stream too many is reset alone, as there.
   */
  #open(streamId: number): boolean {
    if (streamId % 2 === 0 || this.#streams.has(streamId)) {
      this.close('protocol');
      return false;
    }
    if (this.#streams.size >= this.#options.maxStreams) {
      this.sendReset({ id: streamId });
      return false;
    }
    this.#countPiece(0, STREAM_WEIGHT);
    if (this.#isClosed) return false;
    const stream = new YamuxStream(streamId, this);
    this.#streams.set(streamId, stream);
    this.#write(formatHeader({ type: frameTypes.windowUpdate, flags: frameFlags.ack, streamId, length: 0 }));
    this.#options.onStream(stream);
    return !this.#isClosed;
  }

  wake(stream: YamuxStream): void {
    if (!stream.isReady || this.#ready.includes(stream)) return;
    this.#ready.push(stream);
    this.#pump();
  }

  /** Each stream one frame, in turn, until the socket holds enough. */
  #pump(): void {
    // A stream that is told that it may go on may wake again at once.
    if (this.#isBlocked) return;
    this.#isBlocked = true;
    while (!this.#isClosed && this.#socket.writableLength < SOCKET_BYTES) {
      const stream = this.#ready.shift();
      if (!stream) break;
      if (!stream.isReady) continue;
      this.#sendOf(stream);
      if (stream.isReady && !this.#ready.includes(stream)) this.#ready.push(stream);
    }
    this.#isBlocked = false;
  }

  #sendOf(stream: YamuxStream): void {
    const bytes = stream.takeOutgoing(FRAME_BYTES);
    const flags = bytes ? 0 : frameFlags.fin;
    const type = bytes ? frameTypes.data : frameTypes.windowUpdate;
    this.#socket.cork();
    this.#write(formatHeader({ type, flags, streamId: stream.id, length: bytes?.length ?? 0 }));
    if (bytes) this.#write(bytes);
    this.#socket.uncork();
  }

  sendWindowUpdate({ id: streamId }: YamuxStream, length: number): void {
    this.#write(formatHeader({ type: frameTypes.windowUpdate, flags: 0, streamId, length }));
  }

  sendReset({ id: streamId }: Pick<YamuxStream, 'id'>): void {
    this.#write(formatHeader({ type: frameTypes.windowUpdate, flags: frameFlags.rst, streamId, length: 0 }));
  }

  forget(stream: YamuxStream): void {
    this.#streams.delete(stream.id);
    this.#ready = this.#ready.filter((other) => other !== stream);
  }

  #write(bytes: Buffer): void {
    if (!this.#socket.writable) return;
    this.bytesOut += bytes.length;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > MAX_UNREAD) this.close('flood');
  }

  /** Asks after a silence, and gives up where nothing at all has come since. */
  #lookForLife(): void {
    const { silenceMs, answerMs } = this.#options;
    if (this.#hasHeard) this.#isAsked = false;
    else if (this.#isAsked) {
      this.close('ping_timeout');
      return;
    } else {
      this.#isAsked = true;
      this.#write(formatHeader({ type: frameTypes.ping, flags: frameFlags.syn, streamId: 0, length: 1 }));
    }
    this.#hasHeard = false;
    this.#timer = setTimeout(() => this.#lookForLife(), this.#isAsked ? answerMs : silenceMs);
  }
}
