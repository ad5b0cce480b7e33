import { Duplex, type DuplexOptions } from 'node:stream';

/** What node:http and ssh2 call on whatever they take for a socket; the link sets these things on its own. */
export abstract class SocketLike extends Duplex {
  constructor(options: DuplexOptions) {
    super(options);
    // A device can cut it at any time: that nobody listens at that moment must not end the process.
    this.on('error', () => {});
  }

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
