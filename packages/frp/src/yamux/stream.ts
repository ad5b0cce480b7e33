import { Duplex } from 'node:stream';
import { START_WINDOW } from './frames.ts';
import { Inbox } from './inbox.ts';

const BUFFER_BYTES = 16 * 1024;
const MAX_WINDOW = 0xff_ff_ff_ff;

/** What a stream needs of its session. */
export interface StreamHost {
  /** It has something to send. */
  wake(stream: YamuxStream): void;
  sendWindowUpdate(stream: YamuxStream, bytes: number): void;
  sendReset(stream: YamuxStream): void;
  /** Neither end has anything to say on it. */
  forget(stream: YamuxStream): void;
}

/**
 * One stream that the other end has opened. Each direction ends on its own; a cut of the other end is an error. Destroyed before
 * both ends are there, it is reset.
 */
export class YamuxStream extends Duplex {
  readonly id: number;
  readonly #host: StreamHost;
  readonly #inbox = new Inbox();
  /** The other end may send so much more. */
  #receiveWindow = START_WINDOW;
  /** We may send so much more. */
  #sendWindow = START_WINDOW;
  /** Handed over since we last gave the other end more room. */
  #delivered = 0;
  #isWanted = false;
  #hasEnd = false;
  #outgoing: Buffer | undefined;
  #whenSent: ((error?: Error) => void) | undefined;
  #endIsDue = false;
  #endIsSent = false;
  /** By the other end, or with the connection. */
  #isCut = false;

  constructor(id: number, host: StreamHost) {
    super({ allowHalfOpen: true, readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: 64 * 1024 });
    this.id = id;
    this.#host = host;
    // A device can cut it at any time: that nobody listens at that moment must not end the process.
    this.on('error', () => {});
  }

  /** What has come and waits to be read, in bytes. */
  get unreadBytes(): number {
    return this.readableLength + this.#inbox.bytes;
  }

  /** Whether there is something that may be sent now. */
  get isReady(): boolean {
    if (this.destroyed) return false;
    if (this.#outgoing) return this.#sendWindow > 0;
    return this.#endIsDue && !this.#endIsSent;
  }

  /** Of what may be sent now at most so many bytes; undefined for its end. */
  takeOutgoing(most: number): Buffer | undefined {
    const outgoing = this.#outgoing;
    if (!outgoing) {
      this.#endIsSent = true;
      this.#settle();
      return undefined;
    }
    const bytes = outgoing.subarray(0, Math.min(most, this.#sendWindow));
    this.#sendWindow -= bytes.length;
    this.#outgoing = bytes.length < outgoing.length ? outgoing.subarray(bytes.length) : undefined;
    if (!this.#outgoing) this.#settle();
    return bytes;
  }

  /** Whoever has written may go on. */
  #settle(error?: Error): void {
    const callback = this.#whenSent;
    this.#whenSent = undefined;
    callback?.(error);
  }

  /** The other end takes so much more; false where that is more than a window can be. */
  grow(bytes: number): boolean {
    this.#sendWindow += bytes;
    return this.#sendWindow <= MAX_WINDOW;
  }

  /** False where the other end sends more than it may. What comes behind its end is dropped: in Go a close overtakes a write. */
  receive(piece: Buffer): boolean {
    this.#receiveWindow -= piece.length;
    if (this.#receiveWindow < 0) return false;
    if (!this.#hasEnd) this.#inbox.add(piece);
    return true;
  }

  receiveEnd(): void {
    this.#hasEnd = true;
  }

  /** All of one read has come. */
  flush(): void {
    if (this.#isWanted) this.#handOver();
  }

  /** The other end, or the whole connection, is gone. */
  cut(error: Error): void {
    this.#isCut = true;
    this.destroy(error);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#handOver();
  }

  #handOver(): void {
    while (this.#isWanted && !this.destroyed) {
      const piece = this.#inbox.take();
      if (!piece) break;
      this.#isWanted = false;
      // Whoever gets it may ask for more before this returns.
      if (this.push(piece)) this.#isWanted = true;
      this.#giveRoom(piece.length);
    }
    if (this.#hasEnd && this.#inbox.isEmpty && this.#isWanted && !this.destroyed) {
      this.#isWanted = false;
      this.push(null);
    }
  }

  #giveRoom(bytes: number): void {
    this.#delivered += bytes;
    if (this.#delivered < START_WINDOW / 2 || this.#hasEnd) return;
    this.#receiveWindow += this.#delivered;
    this.#host.sendWindowUpdate(this, this.#delivered);
    this.#delivered = 0;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    if (chunk.length === 0) {
      callback();
      return;
    }
    this.#outgoing = chunk;
    this.#whenSent = callback;
    this.#host.wake(this);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', callback);
  }

  override _final(callback: (error?: Error) => void): void {
    this.#endIsDue = true;
    this.#whenSent = callback;
    this.#host.wake(this);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const isOver = this.#isCut || (this.#endIsSent && this.#hasEnd);
    this.#inbox.clear();
    this.#outgoing = undefined;
    if (!isOver) this.#host.sendReset(this);
    this.#host.forget(this);
    callback(error);
    this.#settle(error ?? new Error('the stream is closed'));
  }
}
