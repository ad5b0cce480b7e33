import type { Readable } from 'node:stream';

/** All of a stream as text, or null as soon as it is longer than `maxBytes`. Rejects with the stream's error. */
export async function readText(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * The first line of a stream, and what comes behind it; null where it is longer than `maxBytes`, or does not end. After `stop`
 * what is left can be read otherwise.
 */
export async function readLineAndRest(
  stream: Readable,
  maxBytes: number,
): Promise<{ line: string; rest: AsyncIterable<Buffer>; stop(): unknown } | null> {
  const reading: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reading.next();
    if (done) return null;
    const end = value.indexOf('\n');
    const part = end < 0 ? value : value.subarray(0, end);
    size += part.length;
    if (size > maxBytes) return null;
    chunks.push(part);
    if (end < 0) continue;
    const rest = (async function* () {
      if (end + 1 < value.length) yield value.subarray(end + 1);
      yield* { [Symbol.asyncIterator]: () => reading };
    })();
    return { line: Buffer.concat(chunks).toString('utf8'), rest, stop: () => reading.return?.() };
  }
}
