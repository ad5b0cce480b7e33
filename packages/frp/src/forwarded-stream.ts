import { SocketLike } from '@pult/link';
import { ForwardError } from './forward-error.ts';
import type { YamuxStream } from './yamux/stream.ts';

const MAX_ANSWER_BYTES = 4096;
const HEAD_END = '\r\n\r\n';
const BUFFER_BYTES = 16 * 1024;
/** For what was written before the caller let go of it, in milliseconds. */
const LINGER_MS = 10_000;

/**
 * Bytes to a port of a controller, through the HTTP proxy that its frpc is. There is no half-close there: frpc closes both
 * directions as soon as either ends, so that our own end is kept back until the device's has come.
 */
export class ForwardedStream extends SocketLike {
  readonly #port: number;
  #carrier: YamuxStream | undefined;
  #answer: Buffer | undefined = Buffer.alloc(0);
  /** Written before there was a connection to carry it. */
  #early: { chunk: Buffer; callback: (error?: Error) => void } | undefined;
  #whenDeviceEnded: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(port: number, timeoutMs: number) {
    super({ allowHalfOpen: true, readableHighWaterMark: BUFFER_BYTES, writableHighWaterMark: 64 * 1024 });
    this.#port = port;
    this.#timer = setTimeout(
      () => this.destroy(new ForwardError('service_timeout', 'the controller did not answer')),
      timeoutMs,
    );
  }

  get connecting(): boolean {
    return this.#answer !== undefined && !this.destroyed;
  }

  get unreadBytes(): number {
    return this.readableLength + (this.#carrier?.unreadBytes ?? 0);
  }

  /** Has what is written carried from now on; `start` goes before all. */
  attach(carrier: YamuxStream, start: Buffer): void {
    const address = `127.0.0.1:${this.#port}`;
    // In one piece: frpc looks at the first bytes that it reads.
    carrier.write(
      Buffer.concat([start, Buffer.from(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}${HEAD_END}`)]),
    );
    this.#carrier = carrier;
    carrier.on('data', (bytes: Buffer) => this.#receive(bytes));
    carrier.once('end', () => this.#receiveEnd());
    carrier.once('close', () => this.#receiveEnd());
    carrier.once('error', () => this.destroy(new ForwardError('service_reset', 'cut by the controller')));
    const early = this.#early;
    this.#early = undefined;
    if (early) carrier.write(early.chunk, (error) => early.callback(error ?? undefined));
    carrier.resume();
  }

  #receive(bytes: Buffer): void {
    const rest = this.#answer ? this.#readAnswer(this.#answer, bytes) : bytes;
    if (rest.length > 0 && !this.destroyed && !this.push(rest)) this.#carrier?.pause();
  }

  /** What follows the proxy's answer, so far. */
  #readAnswer(begin: Buffer, bytes: Buffer): Buffer {
    const answer = Buffer.concat([begin, bytes]);
    const end = answer.indexOf(HEAD_END);
    this.#answer = answer;
    if (end === -1 && answer.length <= MAX_ANSWER_BYTES) return Buffer.alloc(0);
    const [, status] = /^HTTP\/1\.[01] ([0-9]{3})/.exec(answer.toString('latin1', 0, 12)) ?? [];
    if (end === -1 || status === undefined) {
      this.destroy(new ForwardError('bad_answer', 'no answer of a proxy'));
    } else if (status !== '200') {
      // frpc says the same for each reason.
      this.destroy(new ForwardError('service_refused', 'nothing answers there'));
    } else {
      this.#answer = undefined;
      clearTimeout(this.#timer);
      this.emit('connect');
    }
    return this.destroyed ? Buffer.alloc(0) : answer.subarray(end + HEAD_END.length);
  }

  #receiveEnd(): void {
    if (this.destroyed) return;
    if (this.connecting) {
      this.destroy(new ForwardError('service_refused', 'closed by the controller'));
      return;
    }
    if (!this.readableEnded) this.push(null);
    const callback = this.#whenDeviceEnded;
    this.#whenDeviceEnded = undefined;
    if (callback) {
      this.#carrier?.end();
      callback();
    }
  }

  override _read(): void {
    this.#carrier?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    if (this.#carrier) this.#carrier.write(chunk, (error) => callback(error ?? undefined));
    else this.#early = { chunk, callback };
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'utf8', callback);
  }

  override _final(callback: () => void): void {
    if (this.#carrier?.readableEnded || this.#carrier?.destroyed) {
      this.#carrier.end();
      callback();
    } else this.#whenDeviceEnded = callback;
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    const carrier = this.#carrier;
    if (carrier && this.writableEnded && !error) letGo(carrier);
    else carrier?.destroy();
    callback(error);
    this.#early?.callback(error ?? new Error('the stream is closed'));
    this.#early = undefined;
  }
}

/** A reset would have the device drop what it has not read. */
function letGo(carrier: YamuxStream): void {
  carrier.removeAllListeners('data');
  carrier.resume();
  carrier.end();
  const timer = setTimeout(() => carrier.destroy(), LINGER_MS).unref();
  carrier.once('close', () => clearTimeout(timer));
}
