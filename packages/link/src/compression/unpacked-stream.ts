import { ServiceError } from '../link-error.ts';
import type { SessionStream } from '../session/session-stream.ts';
import { SocketLike } from '../session/socket-like.ts';
import { BlockFormatError, type BlockPart, BlockReader } from './blocks.ts';
import { inflateInSlices } from './inflate-in-slices.ts';

/** An inflated block costs so much more than its bytes that one with fewer counts as a small piece. */
const SMALL_BLOCK_BYTES = 4096;

/**
 * A stream whose other end may send blocks (blocks.ts): to its owner it is as if it had not. What is written goes as it is. Bytes
 * that are no blocks end this stream alone.
 */
export class UnpackedStream extends SocketLike {
  /** What goes over the link. */
  readonly below: SessionStream;
  readonly #reader: BlockReader;
  #isPacked = false;
  #isWanted = false;
  #isWaiting = false;
  #hasEnd = false;
  /** The other end takes no more. */
  #isCut = false;

  /** `countPiece` is told how much each block carries, small ones that were deflated as if it was nothing. */
  constructor(below: SessionStream, countPiece: (bytes: number) => void) {
    super({ allowHalfOpen: true });
    this.below = below;
    this.#reader = new BlockReader((bodyBytes, isDeflated) =>
      countPiece(isDeflated && bodyBytes < SMALL_BLOCK_BYTES ? 0 : bodyBytes),
    );
    below.on('data', (piece: Buffer) => {
      if (this.#isPacked) {
        this.#reader.add(piece);
        this.#go();
      } else this.#hand(piece);
      if (!this.#isWanted || this.#isWaiting) below.pause();
    });
    below.on('end', () => {
      this.#hasEnd = true;
      this.#go();
    });
    below.on('connect', () => this.emit('connect'));
    below.on('error', (error: Error) => this.#cut(error));
    below.on('close', () => {
      if (!this.#hasEnd) this.destroy();
    });
    below.pause();
  }

  /** True until the other end has accepted. */
  get connecting(): boolean {
    return this.below.connecting;
  }

  /** What has come and waits to be read, in bytes of memory. */
  get unreadBytes(): number {
    return this.readableLength + this.#reader.waitingBytes + this.below.unreadBytes;
  }

  /** The other end has said that it sends blocks, before the first of them. */
  unpack(): void {
    this.#isPacked = true;
  }

  /** Hands over what is there, as far as somebody reads, and then asks for more. */
  #go(): void {
    if (this.#isWaiting) return;
    while (this.#isWanted && !this.destroyed) {
      const part = this.#next();
      if (this.destroyed) return;
      if (!part) {
        if (this.#hasEnd) this.#end();
        else if (this.below.isPaused()) this.below.resume();
        return;
      }
      if (part.kind === 'raw') this.#hand(part.bytes);
      else if (!this.#inflate(part)) return;
    }
  }

  #hand(bytes: Buffer): void {
    this.#isWanted = false;
    // Whoever gets it may ask for more before this returns.
    if (this.push(bytes)) this.#isWanted = true;
  }

  /** What has come before can be read, to its end if it has one. */
  #cut(error: Error): void {
    if (!this.#hasEnd || this.readableEnded) {
      this.destroy(error);
      return;
    }
    this.#isCut = true;
    this.once('end', () => this.destroy(error));
  }

  #next(): BlockPart | undefined {
    try {
      return this.#reader.next();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  /** False where others have their turn first. */
  #inflate(part: BlockPart & { kind: 'deflated' }): boolean {
    const later = () => {
      this.#isWaiting = false;
      if (this.destroyed || !this.#inflate(part)) return;
      this.#go();
    };
    if (!inflateInSlices.mayInflate(later)) {
      this.#isWaiting = true;
      return false;
    }
    try {
      this.#hand(inflateInSlices.inflate(part.bytes, part.bodyBytes));
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #end(): void {
    if (this.#reader.isWhole) this.push(null);
    else this.#fail(new BlockFormatError('it ends within a block'));
  }

  #fail(error: unknown): void {
    // Only the two of this folder throw here.
    this.destroy(new ServiceError('bad_answer', (error as Error).message));
  }

  override _read(): void {
    this.#isWanted = true;
    this.#go();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (this.#isCut) callback();
    else this.below.write(chunk, encoding, callback);
  }

  override _final(callback: () => void): void {
    if (this.#isCut) callback();
    else this.below.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.below.destroy(error ?? undefined);
    callback(error);
  }
}
