import type { Duplex } from 'node:stream';

/** A stream that knows what waits below it too. */
interface Layered {
  readonly unreadBytes?: number;
}

/** How many bytes wait in a stream for its reader, below it included. */
export function unreadBytes(stream: Duplex): number {
  return (stream as Duplex & Layered).unreadBytes ?? stream.readableLength;
}

/** Has the bytes that wait in `below` counted as those of the stream that stands on it. */
export function countBelow(stream: Duplex, below: Duplex): void {
  Object.defineProperty(stream, 'unreadBytes', {
    get: () => stream.readableLength + unreadBytes(below),
  });
}
