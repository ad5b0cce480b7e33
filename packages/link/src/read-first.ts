import { Duplex } from 'node:stream';

const BUFFER_BYTES = 64 * 1024;

/**
 * Passes bytes on a turn of the event loop later, so that what the service has said by then is read first: a write to one that
 * has refused an upload and closed fails, and Node throws away what it has not read with the socket. All that has been
 * written by then goes in one turn: one for each piece took a third more of the processor.
 */
export function createReadFirst(): Duplex {
  let whenRead: (() => void) | undefined;
  const between = new Duplex({
    writableHighWaterMark: BUFFER_BYTES,
    readableHighWaterMark: BUFFER_BYTES,
    read() {
      const proceed = whenRead;
      whenRead = undefined;
      proceed?.();
    },
    writev(chunks, callback) {
      setImmediate(() => {
        if (between.destroyed) return;
        let isWanted = true;
        for (const { chunk } of chunks) isWanted = between.push(chunk);
        if (isWanted) callback();
        else whenRead = callback;
      });
    },
    final(callback) {
      between.push(null);
      callback();
    },
  });
  return between;
}
