const lineFeed = 10;
const maxLine = 16 * 1024;
/** Node's parser refuses it wherever a line of chunks may begin. */
const noLine = '?';

/**
 * The lines between the chunks of a body, which some web servers end with LF, or fill up with spaces (RFC 9112, sections 2.2 and 7.1).
 * What is no chunk Node's parser gets to refuse. Trailers, which go to no browser, are left out.
 */
export class ChunkLines {
  #expected: 'size' | 'data' | 'dataEnd' | 'trailer' | 'nothing' = 'size';
  /** Bytes of the chunk. */
  #left = 0;
  #line = '';
  #isMended = false;

  /** Whether anything has come that others could read in another way. */
  get isMended(): boolean {
    return this.#isMended;
  }

  /** What Node's parser is to read of these bytes; nothing of what follows the body. */
  mend(bytes: Buffer): Buffer {
    const mended: Buffer[] = [];
    /** Up to here all is in `mended`: what is as it should be is not copied, as most bodies are. */
    let copied = 0;
    let at = 0;
    while (at < bytes.length && this.#expected !== 'nothing') {
      if (this.#expected === 'data') {
        const length = Math.min(this.#left, bytes.length - at);
        at += length;
        this.#left -= length;
        if (this.#left === 0) this.#expected = 'dataEnd';
        continue;
      }
      const begin = at;
      const isBegun = this.#line !== '';
      const end = bytes.indexOf(lineFeed, at);
      at = end === -1 ? bytes.length : end + 1;
      const came = this.#line + bytes.toString('latin1', begin, at);
      const isPart = end === -1 && came.length <= maxLine;
      this.#line = isPart ? came : '';
      const line = isPart ? '' : end === -1 ? noLine : this.#endLine(came.replace(/\r?\n$/, ''));
      if (!isPart && line !== came) this.#isMended = true;
      if (line === came && !isBegun) continue;
      mended.push(bytes.subarray(copied, begin), Buffer.from(line, 'latin1'));
      copied = at;
    }
    if (at < bytes.length) this.#isMended = true;
    if (copied === 0 && at === bytes.length) return bytes;
    return Buffer.concat([...mended, bytes.subarray(copied, at)]);
  }

  #endLine(line: string): string {
    if (this.#expected === 'trailer') {
      if (line !== '') return '';
      this.#expected = 'nothing';
    } else if (this.#expected === 'dataEnd') {
      this.#expected = 'size';
      if (line !== '') return noLine;
    } else {
      const [, size] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line) ?? [];
      if (size === undefined) return noLine;
      this.#left = Number.parseInt(size, 16);
      this.#expected = this.#left > 0 ? 'data' : 'trailer';
      return `${size}\r\n`;
    }
    return `${line}\r\n`;
  }
}
