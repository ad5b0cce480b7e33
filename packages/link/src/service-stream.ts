import { constants, type Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { cutStream } from './cut-stream.ts';

const BUFFER_BYTES = 64 * 1024;
/** From here on a piece is worth a write of its own. */
const WHOLE_BYTES = 1024;
/** What a piece costs in memory besides its bytes: a device may send single ones. */
const PIECE_BYTES = 200;

/** What waits in Node's own stream: up to its window. */
function countWaiting(stream: Http2Stream): number {
  // Node tells bytes and no pieces, of which there can be as many.
  const { buffer } = (stream as unknown as { _readableState: { buffer?: { length?: number } } })
    ._readableState;
  return stream.readableLength + (buffer?.length ?? 0) * PIECE_BYTES;
}

/** What a stream asks of its link. */
export interface StreamOwner {
  /** The error a reader sees when the stream is cut. */
  describeCut(cause: Error | undefined): Error;
  /** Is told the length of each piece that comes. */
  countPiece(bytes: number): void;
}

/**
 * The bytes of one service over one HTTP/2 stream, with the manners of a TCP socket: it is there at once and emits
 * `connect` when the device has answered, each direction ends on its own, and a cut is always an error. Node's own
 * stream reports a cancelled stream, or a connection that went away, as a clean end: a half download would look whole.
 */
export class ServiceStream extends Duplex {
  readonly #owner: StreamOwner;
  readonly #cancel: () => void;
  #stream: Http2Stream | undefined;
  /** What was written or ended before the device had answered. */
  #waiting: ((stream: Http2Stream) => void) | undefined;
  /** Short pieces that came in this turn of the event loop: whoever reads has one of them, not a thousand. */
  #pieces: Buffer[] = [];
  #isRead = false;
  #readEnded = false;
  #writeEnded = false;

  /** `cancel` is called when it is destroyed before it was attached. */
  constructor(owner: StreamOwner, cancel: () => void = () => {}) {
    super({
      allowHalfOpen: true,
      readableHighWaterMark: BUFFER_BYTES,
      writableHighWaterMark: BUFFER_BYTES,
    });
    this.#owner = owner;
    this.#cancel = cancel;
  }

  /** True until the device has answered. */
  get connecting(): boolean {
    return this.#stream === undefined && !this.destroyed;
  }

  /** What has come from the device and waits to be read, in bytes of memory. */
  get unreadBytes(): number {
    return this.readableLength + (this.#stream ? countWaiting(this.#stream) : 0);
  }

  /** Takes over the stream that the device has accepted. */
  attach(stream: Http2Stream): void {
    this.#stream = stream;
    let cause: Error | undefined;
    stream.on('data', (chunk: Buffer) => {
      this.#owner.countPiece(chunk.length);
      if (this.#pieces.push(chunk) === 1 && chunk.length < WHOLE_BYTES) setImmediate(() => this.#flush());
      else if (chunk.length >= WHOLE_BYTES) this.#flush();
    });
    if (!this.#isRead) stream.pause();
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted) return;
      this.#flush();
      this.#readEnded = true;
      this.push(null);
    });
    stream.on('error', (error) => {
      cause = error;
    });
    stream.on('close', () => {
      this.#flush();
      if (!this.#readEnded || !this.#writeEnded) this.destroy(this.#owner.describeCut(cause));
    });
    this.#waiting?.(stream);
    this.#waiting = undefined;
    this.emit('connect');
  }

  override _read(): void {
    this.#isRead = true;
    this.#stream?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#whenAttached((stream) => {
      if (stream.write(chunk)) callback();
      else stream.once('drain', callback);
    });
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#whenAttached((stream) => {
      this.#writeEnded = true;
      stream.end(callback);
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#stream) this.#cancel();
    // A finished stream closes by itself once its last frames are out; a reset would cut them.
    else if (!this.#readEnded || !this.#writeEnded) cutStream(this.#stream);
    callback(error);
  }

  #flush(): void {
    const pieces = this.#pieces;
    if (pieces.length === 0 || this.destroyed) return;
    this.#pieces = [];
    const [only] = pieces;
    if (!this.push(pieces.length === 1 ? only : Buffer.concat(pieces))) this.#stream?.pause();
  }

  /** A writer waits for one answer before the next, so there is one at most. */
  #whenAttached(run: (stream: Http2Stream) => void): void {
    if (this.#stream) run(this.#stream);
    else this.#waiting = run;
  }

  // node:http and ssh2 call these on whatever they take for a socket; the link sets them on its own.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setTimeout(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
