import { createCipheriv, createHash } from 'node:crypto';
import { Readable } from 'node:stream';

const CHUNK_BYTES = 64 * 1024;
const zeros = Buffer.alloc(CHUNK_BYTES);

/** The same pseudo-random bytes on every call, without a repeating block: lost or swapped parts change the hash. */
function* chunks(bytes: number): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 1), Buffer.alloc(16));
  for (let left = bytes; left > 0; left -= CHUNK_BYTES) {
    yield cipher.update(left >= CHUNK_BYTES ? zeros : zeros.subarray(0, left));
  }
}

/** Made only as fast as it is read. `onChunk` hears the size of every piece that was taken. */
export function createByteSource(bytes: number, onChunk?: (size: number) => void): Readable {
  const source = chunks(bytes);
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      const { value, done } = source.next();
      if (!done) onChunk?.(value.length);
      this.push(done ? null : value);
    },
  });
}

const hashes = new Map<number, string>();

/** SHA-256, in hex, of the first `bytes` bytes. */
export function hashByteSource(bytes: number): string {
  let hash = hashes.get(bytes);
  if (hash === undefined) {
    const digest = createHash('sha256');
    for (const chunk of chunks(bytes)) digest.update(chunk);
    hash = digest.digest('hex');
    hashes.set(bytes, hash);
  }
  return hash;
}
