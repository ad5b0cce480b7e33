import { constants, type Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { cutStream } from './cut-stream.ts';

const BUFFER_BYTES = 64 * 1024;
/** What a piece costs in memory besides its bytes: a device may send single ones. */
const PIECE_BYTES = 200;

/** What waits in Node's own stream: up to its window. */
function countWaiting(stream: Http2Stream): number {
  // Node tells bytes and no pieces, of which there can be as many.
  const { buffer } = (stream as unknown as { _readableState: { buffer?: { length?: number } } })
    ._readableState;
  return stream.readableLength + (buffer?.length ?? 0) * PIECE_BYTES;
}

/**
 * The bytes of one service over one HTTP/2 stream, with the manners of a TCP socket: it is there at once and emits
 * `connect` when the device has answered, each direction ends on its own, and a cut is always an error. Node's own
 * stream reports a cancelled stream, or a connection that went away, as a clean end: a half download would look whole.
 */
export class ServiceStream extends Duplex {
  readonly #describeCut: (cause: Error | undefined) => Error;
  readonly #cancel: () => void;
  #stream: Http2Stream | undefined;
  /** What was written or ended before the device had answered. */
  #waiting: ((stream: Http2Stream) => void) | undefined;
  #isRead = false;
  #readEnded = false;
  #writeEnded = false;

  /**
   * `describeCut` makes the error a reader sees when the stream is cut; `cancel` is called when it is destroyed before
   * it was attached.
   */
  constructor(describeCut: (cause: Error | undefined) => Error, cancel: () => void = () => {}) {
    super({
      allowHalfOpen: true,
      readableHighWaterMark: BUFFER_BYTES,
      writableHighWaterMark: BUFFER_BYTES,
    });
    this.#describeCut = describeCut;
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
      if (!this.push(chunk)) stream.pause();
    });
    if (!this.#isRead) stream.pause();
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted) return;
      this.#readEnded = true;
      this.push(null);
    });
    stream.on('error', (error) => {
      cause = error;
    });
    stream.on('close', () => {
      if (!this.#readEnded || !this.#writeEnded) this.destroy(this.#describeCut(cause));
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
