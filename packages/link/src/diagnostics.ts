import type { Readable } from 'node:stream';

/** What a device has said of the archive after its last byte. */
export type ArchiveOutcome =
  | { kind: 'whole'; sha256: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'unknown' };

/** The answer of a device: bytes as they are collected, and after them what they come to. */
export interface ArchiveStream {
  /** A cut is its error. Whoever reads it destroys it. */
  readonly body: Readable;
  /** True as soon as the body has ended. */
  getOutcome(): ArchiveOutcome;
}
