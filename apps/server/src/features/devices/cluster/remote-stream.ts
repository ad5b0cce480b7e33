import type { NodeStream } from '../../../platform/cluster/link/node-link.ts';
import { SocketLike } from '../../../platform/streams.ts';
import type { EndpointStream } from '../device-connection.ts';

type Callback = (error?: Error | null) => void;

const bufferBytes = 64 * 1024;

/**
 * Bytes to an endpoint of a device that another node holds. It is there before that node is known; what is written meanwhile waits
 * for it. Both ends keep their pace: each passes on as much as the other one takes.
 */
export class RemoteStream extends SocketLike implements EndpointStream {
  #below: NodeStream | undefined;
  #isOpen = false;
  /** What was written, or the end of it, before there was a stream to pass it on to. */
  #early: ((below: NodeStream) => void) | undefined;
  readonly #describe: (error: Error, isOpen: boolean) => Error | Promise<Error>;

  /** `describe` makes of an error between the nodes what the endpoint's error is. */
  constructor(describe: (error: Error, isOpen: boolean) => Error | Promise<Error>) {
    super({ allowHalfOpen: true, readableHighWaterMark: bufferBytes, writableHighWaterMark: bufferBytes });
    this.#describe = describe;
  }

  get connecting(): boolean {
    return !this.#isOpen && !this.destroyed;
  }

  get unreadBytes(): number {
    return this.readableLength + (this.#below?.unreadBytes ?? 0);
  }

  /** From now on it is that stream. */
  attach(below: NodeStream): void {
    this.#below = below;
    below.on('error', (error) => this.#fail(error));
    below.on('close', () => {
      if (!below.readableEnded || !below.writableFinished) this.#fail(new Error('closed'));
    });
    if (this.destroyed) {
      below.destroy();
      return;
    }
    below.once('connect', () => {
      this.#isOpen = true;
      this.emit('connect');
    });
    below.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) below.pause();
    });
    below.once('end', () => this.push(null));
    const early = this.#early;
    this.#early = undefined;
    early?.(below);
  }

  /** It will be none. */
  fail(error: Error): void {
    this.destroy(error);
  }

  #fail(error: Error): void {
    if (this.destroyed) return;
    const described = this.#describe(error, this.#isOpen);
    if (described instanceof Promise) void described.then((known) => this.destroy(known));
    else this.destroy(described);
  }

  /** What ends the stream between the nodes is described before anybody hears of it. */
  #whenWritten(callback: Callback): Callback {
    return (error) => (error ? this.#fail(error) : callback());
  }

  #pass(act: (below: NodeStream) => void): void {
    if (this.#below) act(this.#below);
    else this.#early = act;
  }

  override _read(): void {
    this.#below?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#pass((below) => below.write(chunk, this.#whenWritten(callback)));
  }

  override _writev(chunks: { chunk: Buffer }[], callback: Callback): void {
    this.#pass((below) => {
      below.cork();
      for (const [index, { chunk }] of chunks.entries()) {
        if (index < chunks.length - 1) below.write(chunk);
        else below.write(chunk, this.#whenWritten(callback));
      }
      below.uncork();
    });
  }

  override _final(callback: Callback): void {
    this.#pass((below) => {
      below.end(() => callback());
    });
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.#early = undefined;
    this.#below?.destroy();
    callback(error);
  }
}
