import { Duplex } from 'node:stream';

/** What node:http and ssh2 call on whatever they take for a socket; the link sets these things on its own. */
export abstract class SocketLike extends Duplex {
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
