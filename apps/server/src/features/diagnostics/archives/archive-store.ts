import type { Readable } from 'node:stream';
import type { ByteRange } from '../../../platform/http/byte-range.ts';

/** Where archives are kept. Names are made by the server, of letters, digits and hyphens: nobody else's word gets in. */
export interface ArchiveStore {
  /**
   * Keeps all of it, or nothing: when the source fails, or the store, nothing is left. Rejects with the source's error,
   * or with `ArchiveError`.
   */
  save(name: string, source: Readable): Promise<void>;
  /** Bytes from `start` to `end`, both included; all of them without a range. Rejects with `ArchiveError`. */
  read(name: string, range?: ByteRange): Promise<Readable>;
  /** What is not there is removed already. */
  remove(name: string): Promise<void>;
  /** Names of all of them, in their order. */
  list(): Promise<string[]>;
}

/** The store could not do it. The message is for the log. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
  readonly reason: 'not_found' | 'disk_full' | 'failed';

  constructor(reason: 'not_found' | 'disk_full' | 'failed', cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.reason = reason;
  }
}

export const isArchiveName = (name: string) => /^[a-z0-9-]{1,64}$/.test(name);

/** Throws on what is none of our names: it would be a fault of the server's own. */
export function assertArchiveName(name: string): void {
  if (!isArchiveName(name)) throw new TypeError('not a name of an archive');
}

/** What a source has failed by, as soon as it has. That a store stops reading it is no failure of its own. */
export function watchSource(source: Readable): () => Error | undefined {
  let failure: Error | undefined;
  source.once('error', (error) => {
    if (error.name !== 'AbortError') failure = error;
  });
  // Destroyed by a store that has failed, it may say so once more.
  source.on('error', () => {});
  return () => failure;
}
