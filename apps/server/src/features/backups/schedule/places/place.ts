import type { Readable } from 'node:stream';

/** Where scheduled backups are kept. Names are those of `nameBackup`; others that are there are not ours. */
export interface BackupPlace {
  /** All of it under its name, or nothing. */
  save(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  read(name: string): Promise<Readable>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}
