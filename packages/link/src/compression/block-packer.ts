import { Duplex } from 'node:stream';
import { formatBlockHeader, MAX_BLOCK_BYTES } from './blocks.ts';
import { deflater } from './deflater.ts';

/** Shorter bodies do not pay. */
const MIN_DEFLATED_BYTES = 256;
/** A line is left to itself unless blocks are deflated so much faster than it carries them. */
const PACE_SHARE = 2;
/** After blocks that did not shrink so many are not tried, twice as many each time. */
const MAX_UNTRIED = 16;
/** A copy of so much costs less than one more piece. */
const COPIED_BYTES = 4096;
const HTTP_BEGIN = Buffer.from('HTTP/1.');
const HEAD_END = Buffer.from('\r\n\r\n');
const MAX_HEAD_BYTES = 16 * 1024;

/** Where packed bytes go, as far as that says whether to deflate them. */
export interface PackedLine {
  /** Whether so many bytes more would leave at once. */
  hasRoom(bytes: number): boolean;
  /** Bytes a millisecond that it carries; 0 until that was measured. */
  readonly rate: number;
  /** Bytes are dearer than time. */
  readonly isSaving: boolean;
}

/** The length of an answer's head, where these bytes begin with one; a long one is not looked at to its end. */
function measureHead(bytes: Buffer): number {
  if (!bytes.subarray(0, HTTP_BEGIN.length).equals(HTTP_BEGIN)) return 0;
  const looked = bytes.subarray(0, MAX_HEAD_BYTES);
  const end = looked.indexOf(HEAD_END);
  return end === -1 ? looked.length : end + HEAD_END.length;
}

/** Puts what is written to it into blocks, deflated while they would have to wait for the line. */
export class BlockPacker extends Duplex {
  readonly #line: PackedLine;
  #whenRead: (() => void) | undefined;
  #untried = 0;
  #untriedNext = 1;

  constructor(line: PackedLine) {
    super({ readableHighWaterMark: 16 * 1024, writableHighWaterMark: MAX_BLOCK_BYTES });
    this.#line = line;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error) => void): void {
    this.#pack(chunk, callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error) => void): void {
    this.#pack(Buffer.concat(chunks.map(({ chunk }) => chunk)), callback);
  }

  override _final(callback: () => void): void {
    this.push(null);
    callback();
  }

  override _read(): void {
    const callback = this.#whenRead;
    this.#whenRead = undefined;
    callback?.();
  }

  /** Lets the writer go on once what was packed is wanted. */
  #hold(callback: () => void): void {
    if (this.readableLength < this.readableHighWaterMark) callback();
    else this.#whenRead = callback;
  }

  #pack(bytes: Buffer, callback: (error?: Error) => void): void {
    const headBytes = measureHead(bytes);
    if (headBytes > 0) this.#shrinks();
    if (bytes.length <= MAX_BLOCK_BYTES && !this.#mayDeflate(bytes.subarray(headBytes))) {
      this.#pushBlock(bytes);
      this.#hold(callback);
    } else this.#packLong(bytes, headBytes).then(() => this.#hold(callback), callback);
  }

  async #packLong(bytes: Buffer, headBytes: number): Promise<void> {
    // A cookie is in no block that is deflated beside words that somebody else may choose: its length would tell of it.
    if (headBytes > 0) this.#pushBlock(bytes.subarray(0, headBytes));
    for (let at = headBytes; at < bytes.length; at += MAX_BLOCK_BYTES) {
      const body = bytes.subarray(at, at + MAX_BLOCK_BYTES);
      const deflated = this.#mayDeflate(body) ? await this.#deflate(body) : undefined;
      if (this.destroyed) return;
      this.#pushBlock(body, deflated);
    }
  }

  #mayDeflate({ length }: Buffer): boolean {
    if (length < MIN_DEFLATED_BYTES) return false;
    const { isSaving, rate } = this.#line;
    if (!isSaving && (this.#line.hasRoom(length) || deflater.pace < rate * PACE_SHARE)) return false;
    if (this.#untried === 0) return true;
    this.#untried -= 1;
    return false;
  }

  async #deflate(body: Buffer): Promise<Buffer | undefined> {
    const deflated = await deflater.deflate(body, this.#line.isSaving);
    // What gains a hundredth is a picture all the same.
    if (deflated && deflated.length < body.length * 0.95) this.#shrinks();
    else {
      this.#untried = this.#untriedNext;
      this.#untriedNext = Math.min(MAX_UNTRIED, 2 * this.#untriedNext);
    }
    return deflated;
  }

  /** What comes next may shrink. */
  #shrinks(): void {
    this.#untried = 0;
    this.#untriedNext = 1;
  }

  #pushBlock(body: Buffer, deflated: Buffer = body): void {
    const header = formatBlockHeader(deflated.length, body.length);
    if (deflated.length <= COPIED_BYTES) this.push(Buffer.concat([header, deflated]));
    else {
      this.push(header);
      this.push(deflated);
    }
  }
}
