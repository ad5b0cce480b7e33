import type { Http2Stream } from 'node:http2';

/** Resolves once more may be written, or nothing ever again. */
export function whenDrained(stream: Http2Stream): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve();
    };
    stream.on('drain', settle);
    stream.on('close', settle);
    if (stream.destroyed) settle();
  });
}
