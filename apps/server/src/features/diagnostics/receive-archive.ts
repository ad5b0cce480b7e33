import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { ArchiveFormat } from '../../platform/db/schema.ts';
import type { DiagnosticsStream } from '../devices/index.ts';
import type { ArchiveStore } from './archives/index.ts';
import { CollectionFailure } from './failure.ts';

export interface ReceivedArchive {
  size: number;
  sha256: Buffer;
  format: ArchiveFormat;
}

export interface ReceiveOptions {
  store: ArchiveStore;
  name: string;
  maxBytes: number;
  /** What the organization's quota has left; Infinity without one. */
  quotaBytes: number;
  timing: ArchiveTiming;
  /** Its reason ends the collection. */
  signal: AbortSignal;
  /** Told of the bytes so far with every part that comes. */
  onProgress(bytes: number): void;
}

/** Milliseconds. */
export interface ArchiveTiming {
  /** Until the first byte: a collector may have to finish before it answers anything. */
  firstByteMs: number;
  /** From one part to the next. */
  idleMs: number;
  totalMs: number;
}

const signatures: readonly { format: ArchiveFormat; bytes: Buffer }[] = [
  { format: 'tar.gz', bytes: Buffer.from([0x1f, 0x8b, 0x08]) },
  { format: 'zip', bytes: Buffer.from('PK\u0003\u0004') },
];
const longestSignature = 4;

/**
 * Carries an archive from the device into the store without holding more of it than a part. What it is, is read off its
 * first bytes; it is never unpacked. Rejects, with nothing left in the store, when it is not whole, too large or too
 * slow.
 */
export async function receiveArchive(
  answer: DiagnosticsStream,
  options: ReceiveOptions,
): Promise<ReceivedArchive> {
  const { store, name, maxBytes, quotaBytes, timing, signal, onProgress } = options;
  const hash = createHash('sha256');
  let size = 0;
  let start = Buffer.alloc(0);
  let sha256: Buffer | undefined;

  const inspected = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      idle.refresh();
      if (size === chunk.length) restartIdle(timing.idleMs);
      if (start.length < longestSignature) {
        start = Buffer.concat([start, chunk.subarray(0, longestSignature - start.length)]);
        if (start.length === longestSignature && !formatOf(start))
          return done(new CollectionFailure('not_an_archive'));
      }
      if (size > maxBytes) return done(new CollectionFailure('too_large'));
      if (size > quotaBytes) return done(new CollectionFailure('quota_reached'));
      hash.update(chunk);
      onProgress(size);
      done(null, chunk);
    },
    // Before the store takes the end for the end: what fails here leaves nothing.
    flush(done) {
      const outcome = answer.getOutcome();
      sha256 = hash.digest();
      if (outcome.kind === 'failed') done(new CollectionFailure('device_failed', outcome.reason));
      else if (outcome.kind === 'unknown') done(new CollectionFailure('truncated'));
      else if (outcome.sha256 !== sha256.toString('hex')) done(new CollectionFailure('checksum_mismatch'));
      else if (!formatOf(start)) done(new CollectionFailure('not_an_archive'));
      else done();
    },
  });

  const fail = (error: Error) => inspected.destroy(error);
  const onAbort = () => fail(signal.reason);
  let idle = setTimeout(() => fail(new CollectionFailure('stalled')), timing.firstByteMs);
  const restartIdle = (milliseconds: number) => {
    clearTimeout(idle);
    idle = setTimeout(() => fail(new CollectionFailure('stalled')), milliseconds);
  };
  const deadline = setTimeout(() => fail(new CollectionFailure('too_slow')), timing.totalMs);
  signal.addEventListener('abort', onAbort, { once: true });
  answer.body.once('error', fail);
  inspected.once('close', () => answer.body.destroy());
  if (signal.aborted) onAbort();
  answer.body.pipe(inspected);
  try {
    await store.save(name, inspected);
  } finally {
    clearTimeout(idle);
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    inspected.destroy();
    // A late error of what nobody reads any more.
    answer.body.on('error', () => {});
  }
  const format = formatOf(start);
  if (!sha256 || !format) throw new CollectionFailure('truncated');
  return { size, sha256, format };
}

function formatOf(start: Buffer): ArchiveFormat | undefined {
  return signatures.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes))?.format;
}
