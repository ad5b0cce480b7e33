import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/** A message of its own size is lawful at the other end. */
const longestMessage = 64 * 1024;

/**
 * The bytes of one TCP connection in binary messages of a WebSocket, which has no half-close of its own: an empty message is the
 * end of its direction. Once both have ended the WebSocket is closed with 1000; any other end of it is a cut.
 */
export class TcpMessages extends Duplex {
  readonly #webSocket: WebSocket;
  #hasEnded = false;

  constructor(webSocket: WebSocket) {
    super({ allowHalfOpen: true });
    this.#webSocket = webSocket;
    webSocket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary));
    webSocket.on('error', (error) => this.destroy(error));
    webSocket.on('close', () => {
      this.destroy(this.#isWhole ? undefined : new Error('the WebSocket closed before the end'));
    });
  }

  get #isWhole(): boolean {
    return this.#hasEnded && this.writableFinished;
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!isBinary || this.#hasEnded) this.destroy(new Error('no message of a TCP connection'));
    else if (data.length === 0) {
      this.#hasEnded = true;
      this.push(null);
    } else if (!this.push(data)) this.#webSocket.pause();
  }

  override _read(): void {
    if (this.#webSocket.isPaused) this.#webSocket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const end = Math.max(0, chunk.length - longestMessage);
    let from = 0;
    for (; from < end; from += longestMessage) {
      this.#webSocket.send(chunk.subarray(from, from + longestMessage), { binary: true });
    }
    // An empty one would be an end.
    if (chunk.length === 0) done();
    else this.#webSocket.send(chunk.subarray(from), { binary: true }, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#webSocket.send(Buffer.alloc(0), { binary: true }, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#isWhole && !error) this.#webSocket.close(1000);
    else this.#webSocket.terminate();
    // A paused one would not see the end of its closing.
    if (this.#webSocket.isPaused) this.#webSocket.resume();
    done(error);
  }
}
