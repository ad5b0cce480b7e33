/** One file of a backup. */
export interface BackupEntry {
  /** With a top folder of `paths.ts`, unless it is one of the two lists. */
  readonly path: string;
  readonly size: number;
  /** `size` bytes exactly, read once. */
  read(): AsyncIterable<Buffer>;
}

/** The backup, or what is given as one, cannot be used; the message says why in plain words. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
