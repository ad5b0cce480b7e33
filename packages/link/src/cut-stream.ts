import type { Http2Stream } from 'node:http2';

/**
 * Resets a stream so that the peer sees an error. Not `close(code)`: before its reset, Node ends the
 * writable side in the regular way, and the peer takes what came so far for the whole.
 */
export function cutStream(stream: Http2Stream): void {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  stream.destroy(new Error('cut'));
}
