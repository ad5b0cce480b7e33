import type { ServerChannel } from 'ssh2';
import { SocketLike } from '../../../platform/streams.ts';
import { unreadBytes } from '../../../platform/unread-bytes.ts';
import type { EndpointStream } from '../device-connection.ts';
import { EndpointError } from '../endpoint-error.ts';

/** What the streams of one connection share. */
export interface StreamCarrier {
  /** Calls back once there is room below for more, which may be at once. */
  whenWritable(write: () => void): void;
}

type Callback = (error?: Error | null) => void;

/**
 * A stream to an endpoint, over a channel that the device is asked for (`forwarded-tcpip`, RFC 4254, section 7.2). What is
 * written before the device has connected waits; each direction ends on its own.
 */
export class SshForwardedStream extends SocketLike implements EndpointStream {
  readonly #carrier: StreamCarrier;
  #channel: ServerChannel | undefined;
  /** What waits for the channel to be there. */
  #early: (() => void) | undefined;
  connecting = true;

  constructor(carrier: StreamCarrier) {
    super({ allowHalfOpen: true, highWaterMark: 64 * 1024 });
    this.#carrier = carrier;
  }

  /** Bytes of the device that wait here and below. */
  get unreadBytes(): number {
    return this.readableLength + (this.#channel ? unreadBytes(this.#channel) : 0);
  }

  /** The device has connected. */
  attach(channel: ServerChannel): void {
    // Whatever comes of the channel, its errors belong to this stream.
    channel.on('error', (error: Error) => this.destroy(new EndpointError('service_reset', error.message)));
    if (this.destroyed) {
      discard(channel);
      return;
    }
    this.#channel = channel;
    this.connecting = false;
    channel.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) channel.pause();
    });
    channel.on('end', () => {
      this.push(null);
    });
    channel.on('close', () => {
      this.#channel = undefined;
      // What the device has said is read to its end; what it can still be told leads nowhere.
      if (this.readableEnded) this.destroy();
      else this.once('end', () => this.destroy());
    });
    this.emit('connect');
    const early = this.#early;
    this.#early = undefined;
    early?.();
  }

  override _read(): void {
    this.#channel?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#whenReady(callback, (channel) => channel.write(chunk, callback));
  }

  override _final(callback: Callback): void {
    this.#whenReady(callback, (channel) => {
      // `end` of a channel that a server has opened would close both directions.
      channel.eof();
      if (this.readableEnded) channel.close();
      else this.once('end', () => channel.close());
      callback();
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const channel = this.#channel;
    this.#channel = undefined;
    this.#early = undefined;
    if (channel) discard(channel);
    callback(error);
  }

  #whenReady(callback: Callback, act: (channel: ServerChannel) => void): void {
    const begin = () =>
      this.#carrier.whenWritable(() => {
        const channel = this.#channel;
        if (channel?.writable) act(channel);
        else callback(new EndpointError('service_reset', 'closed by the device'));
      });
    if (this.connecting && !this.destroyed) this.#early = begin;
    else begin();
  }
}

/** Closes a channel of which nothing is wanted any more. Read to its end, without which it is never forgotten. */
function discard(channel: ServerChannel): void {
  channel.removeAllListeners('data');
  channel.resume();
  channel.close();
}
