import { createHash } from 'node:crypto';
import { addAbortSignal, type Readable } from 'node:stream';

/** A digest of what passes. */
export function createDigest() {
  const hash = createHash('sha256');
  let size = 0;
  return {
    async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    getSize: () => size,
    get: () => hash.digest('hex'),
  };
}

/** Resolves to whether what is stored is of that size and digest. Reads no more than that: a store may give bytes for ever. */
export async function isStored(
  stored: Readable,
  { size, sha256 }: { size: number; sha256: string },
  signal: AbortSignal,
): Promise<boolean> {
  const digest = createDigest();
  try {
    for await (const _ of digest.pass(addAbortSignal(signal, stored))) {
      if (digest.getSize() > size) return false;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return digest.get() === sha256;
}
