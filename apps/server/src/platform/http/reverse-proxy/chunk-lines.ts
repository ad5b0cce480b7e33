const lineFeed = 10;
const maxLine = 16 * 1024;
/** Node's parser refuses it wherever a line of chunks may begin. */
const noLine = '?';

/**
 * The lines between the chunks of a body, which web servers that end those of their heads with LF end so too (RFC 9112, sections 2.2 and
 * 7.1). What is no chunk Node's parser gets to refuse. Trailers, which go to no browser, are left out.
 */
export class ChunkLines {
  #expected: 'size' | 'data' | 'dataEnd' | 'trailer' | 'nothing' = 'size';
  /** Bytes of the chunk. */
  #left = 0;
  #line = '';

  /** What Node's parser is to read of these bytes; nothing of what follows the body. */
  mend(bytes: Buffer): Buffer {
    const mended: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && this.#expected !== 'nothing') {
      if (this.#expected === 'data') {
        const data = bytes.subarray(at, at + this.#left);
        mended.push(data);
        at += data.length;
        this.#left -= data.length;
        if (this.#left === 0) this.#expected = 'dataEnd';
        continue;
      }
      const end = bytes.indexOf(lineFeed, at);
      this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
      at = end === -1 ? bytes.length : end + 1;
      if (end === -1 && this.#line.length <= maxLine) break;
      const line = end === -1 ? noLine : this.#endLine(this.#line.replace(/\r$/, ''));
      mended.push(Buffer.from(line, 'latin1'));
      this.#line = '';
    }
    return Buffer.concat(mended);
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
