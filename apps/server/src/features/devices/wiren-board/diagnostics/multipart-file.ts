import { Transform, type TransformCallback } from 'node:stream';

const MAX_HEAD_BYTES = 8 * 1024;
const HEAD_END = '\r\n\r\n';

/** The boundary that a content type of multipart/form-data names (RFC 2046, section 5.1.1); undefined where it names none. */
export function readBoundary(contentType: string | undefined): string | undefined {
  const [type = '', ...parameters] = (contentType ?? '').slice(0, 1024).split(';');
  if (type.trim().toLowerCase() !== 'multipart/form-data') return undefined;
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.trim().split('=', 2);
    const boundary = value.replace(/^"([^"]*)"$/, '$1');
    if (name.toLowerCase() === 'boundary' && boundary.length >= 1 && boundary.length <= 70) return boundary;
  }
  return undefined;
}

/**
 * The content of the first part of a multipart body, which in an upload of one file is the file. Holds back no more than a boundary
 * could be. `isWhole` once the boundary behind it has come; what follows is dropped.
 */
export class MultipartFile extends Transform {
  isWhole = false;
  readonly #opening: Buffer;
  readonly #closing: Buffer;
  #input = Buffer.alloc(0);
  #isInFile = false;

  constructor(boundary: string) {
    super();
    this.#opening = Buffer.from(`--${boundary}\r\n`);
    this.#closing = Buffer.from(`\r\n--${boundary}`);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.isWhole) {
      done();
      return;
    }
    this.#input = this.#input.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#input, chunk]);
    if (this.#isInFile || this.#readHead()) {
      this.#passFile();
      done();
    } else done(this.#input.length > MAX_HEAD_BYTES ? new Error('no part of a form begins here') : null);
  }

  /** Whether the file has begun. */
  #readHead(): boolean {
    const begin = this.#input.indexOf(this.#opening);
    const end = begin === -1 ? -1 : this.#input.indexOf(HEAD_END, begin);
    if (end === -1 || end > MAX_HEAD_BYTES) return false;
    this.#input = this.#input.subarray(end + HEAD_END.length);
    this.#isInFile = true;
    return true;
  }

  #passFile(): void {
    const end = this.#input.indexOf(this.#closing);
    this.isWhole = end !== -1;
    const length = this.isWhole ? end : Math.max(0, this.#input.length - this.#closing.length + 1);
    if (length > 0) this.push(this.#input.subarray(0, length));
    this.#input = this.isWhole ? Buffer.alloc(0) : this.#input.subarray(length);
  }
}
