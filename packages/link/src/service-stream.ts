import { constants, type Http2Stream } from 'node:http2';
import { Duplex } from 'node:stream';
import { cutStream } from './cut-stream.ts';

const BUFFER_BYTES = 64 * 1024;

/**
 * The bytes of one service over one HTTP/2 stream, with the manners of a TCP socket: each direction
 * ends on its own, and a cut is always an error. Node's own stream reports a cancelled stream, or a
 * connection that went away, as a clean end: a half download would look whole.
 */
export class ServiceStream extends Duplex {
  readonly #stream: Http2Stream;
  readonly #describeCut: (cause: Error | undefined) => Error;
  #readEnded = false;
  #writeEnded = false;

  /** Takes over `stream`; `describeCut` makes the error a reader sees when it is cut. */
  constructor(stream: Http2Stream, describeCut: (cause: Error | undefined) => Error) {
    super({
      allowHalfOpen: true,
      readableHighWaterMark: BUFFER_BYTES,
      writableHighWaterMark: BUFFER_BYTES,
    });
    this.#stream = stream;
    this.#describeCut = describeCut;
    let cause: Error | undefined;
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.pause();
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
  }

  override _read(): void {
    this.#stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    if (this.#stream.write(chunk)) callback();
    else this.#stream.once('drain', callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#writeEnded = true;
    this.#stream.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // A finished stream closes by itself once its last frames are out; a reset would cut them.
    if (!this.#readEnded || !this.#writeEnded) cutStream(this.#stream);
    callback(error);
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
