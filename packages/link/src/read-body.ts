import { constants, type Http2Stream } from 'node:http2';

/**
 * The whole body as text, or null when it is longer than `maxBytes`. Rejects with what `describeCut`
 * makes of a stream that was cut before its end.
 */
export function readBody(
  stream: Http2Stream,
  maxBytes: number,
  describeCut: (cause: Error | undefined) => Error,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let cause: Error | undefined;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve(null);
    });
    stream.on('end', () => {
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR || stream.aborted) return;
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    stream.on('error', (error) => {
      cause = error;
    });
    stream.on('close', () => reject(describeCut(cause)));
  });
}
