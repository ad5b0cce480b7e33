import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';

/** Bytes in one member of gzip: any program that unpacks gzip takes them one after the other (RFC 1952, section 2.2). */
const memberBytes = 4 * 1024 * 1024;

/** Compresses what comes in members of their own, which threads make beside each other. */
export async function* compressMembers(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const maxThreads = Math.max(1, Math.min(availableParallelism(), 4));
  const threads = new Piscina<{ bytes: ArrayBuffer; length: number }, ArrayBuffer>({
    filename: new URL('./compressing-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads,
    // People come before backups, where both want the processor.
    niceIncrement: 15,
  });
  const pending: Promise<Buffer>[] = [];
  const compress = (bytes: ArrayBuffer, length: number) => {
    const task = threads.run({ bytes, length }, { name: 'compress', transferList: [bytes] });
    const member = task.then((compressed) => Buffer.from(compressed));
    // Awaited in its turn, when the one before may have failed already.
    member.catch(() => {});
    pending.push(member);
  };
  try {
    for await (const { bytes, length } of toBatches(source)) {
      compress(bytes, length);
      const oldest = pending.length > maxThreads ? pending.shift() : undefined;
      if (oldest) yield await oldest;
    }
    for (const member of pending) yield await member;
  } finally {
    await threads.destroy();
  }
}

async function* toBatches(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ bytes: ArrayBuffer; length: number }> {
  let bytes = new ArrayBuffer(memberBytes);
  let length = 0;
  for await (const chunk of source) {
    let rest = chunk;
    while (rest.length > 0) {
      const piece = rest.subarray(0, memberBytes - length);
      new Uint8Array(bytes).set(piece, length);
      length += piece.length;
      rest = rest.subarray(piece.length);
      if (length < memberBytes) continue;
      yield { bytes, length };
      bytes = new ArrayBuffer(memberBytes);
      length = 0;
    }
  }
  if (length > 0) yield { bytes, length };
}
