import type { Readable } from 'node:stream';
import { Transform, type TransformCallback } from 'node:stream';
import { cleanReason } from './link-error.ts';

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

/**
 * An archive whose size nobody knows before, with a word after it: pieces, each behind its length in 4 bytes, a length of 0,
 * and `sha256 <hex>` or `failed <reason>`. What ends before the word was cut short.
 */

const LENGTH_BYTES = 4;
const MAX_WORD_BYTES = 1024;

export function formatPiece(piece: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + piece.length);
  frame.writeUInt32BE(piece.length);
  frame.set(piece, LENGTH_BYTES);
  return frame;
}

export function formatOutcome(outcome: Exclude<ArchiveOutcome, { kind: 'unknown' }>): Buffer {
  const word = outcome.kind === 'whole' ? `sha256 ${outcome.sha256}` : `failed ${outcome.reason}`;
  return Buffer.concat([Buffer.alloc(LENGTH_BYTES), Buffer.from(word)]);
}

function parseOutcome(word: string): ArchiveOutcome {
  const [, sha256] = /^sha256 ([0-9a-f]{64})$/.exec(word) ?? [];
  if (sha256) return { kind: 'whole', sha256 };
  return word.startsWith('failed ')
    ? { kind: 'failed', reason: cleanReason(word.slice('failed '.length)) }
    : { kind: 'unknown' };
}

/** Gives the bytes of the archive; its outcome is there once it has ended. */
export class ArchiveReader extends Transform {
  outcome: ArchiveOutcome = { kind: 'unknown' };
  #partial: Buffer = Buffer.alloc(0);
  #rest = 0;
  #word: Buffer | undefined;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    let bytes = this.#partial.length > 0 ? Buffer.concat([this.#partial, chunk]) : chunk;
    this.#partial = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (this.#word) {
        this.#word = Buffer.concat([this.#word, bytes]).subarray(0, MAX_WORD_BYTES);
        break;
      }
      if (this.#rest > 0) {
        const piece = bytes.subarray(0, this.#rest);
        this.#rest -= piece.length;
        bytes = bytes.subarray(piece.length);
        this.push(piece);
        continue;
      }
      if (bytes.length < LENGTH_BYTES) {
        this.#partial = bytes;
        break;
      }
      this.#rest = bytes.readUInt32BE();
      bytes = bytes.subarray(LENGTH_BYTES);
      if (this.#rest === 0) this.#word = Buffer.alloc(0);
    }
    callback();
  }

  override _flush(callback: TransformCallback): void {
    if (this.#word) this.outcome = parseOutcome(this.#word.toString('utf8'));
    callback();
  }
}
