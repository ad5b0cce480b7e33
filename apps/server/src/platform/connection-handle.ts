import type { Duplex, Readable } from 'node:stream';

/** A `request` ends by itself, so a stopping server lets it finish; a `session` does not. */
export type HandleKind = 'request' | 'session';

/** Something open that is cut when the access ends by which it was opened. */
export interface ConnectionHandle {
  /** Bytes that went in (from the client) and out (to it). */
  count(bytesIn: number, bytesOut: number): void;
  /** Short pieces that came from either side: for how many milliseconds nothing more is to be read of it. */
  charge(pieces: number): number;
  /** What it reads from now on: what waits there unread counts to a budget. */
  watch(far: Readable): void;
  /** It has closed. */
  end(): void;
}

/** Counts what goes both ways between two joined streams; to be called after they were joined, or it would flow early. */
export function countBytes(handle: ConnectionHandle, client: Duplex, far: Duplex): void {
  handle.watch(far);
  client.on('data', (chunk: Buffer) => handle.count(chunk.length, 0));
  far.on('data', (chunk: Buffer) => handle.count(0, chunk.length));
}
