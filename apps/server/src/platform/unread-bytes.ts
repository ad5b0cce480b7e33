import type { Duplex, Readable } from 'node:stream';

/** A stream that knows what waits below it too. */
interface Layered {
  readonly unreadBytes?: number;
}

/** How many bytes wait in a stream for its reader, below it included. */
export function unreadBytes(stream: Readable): number {
  return (stream as Readable & Layered).unreadBytes ?? stream.readableLength;
}

/** Has the bytes that wait in `below` counted as those of the stream that stands on it. */
export function countBelow(stream: Duplex, below: Duplex): void {
  Object.defineProperty(stream, 'unreadBytes', {
    get: () => stream.readableLength + unreadBytes(below),
  });
}
