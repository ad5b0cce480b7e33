import type { Readable } from 'node:stream';

/** Has the device collect diagnostics and answer them as an archive. */
export const DIAGNOSTICS_PATH = '/v1/diagnostics';

/** Trailers of the answer: one of them, after the last byte. An answer without either was cut short. */
export const SHA256_TRAILER = 'pult-sha256';
/** Why the archive is none after all, as a URI component. */
export const FAILURE_TRAILER = 'pult-failure';

/** What a device has said of the archive after its last byte. */
export type DiagnosticsOutcome =
  | { kind: 'whole'; sha256: string }
  | { kind: 'failed'; reason: string }
  | { kind: 'untold' };

/** The answer of a device: bytes as they are collected, and after them what they come to. */
export interface DiagnosticsStream {
  /** A cut is its error. Whoever reads it destroys it. */
  readonly body: Readable;
  /** True as soon as the body has ended. */
  getOutcome(): DiagnosticsOutcome;
}
