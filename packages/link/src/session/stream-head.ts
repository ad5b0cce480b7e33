const MAX_HEAD_BYTES = 2048;

/** Gathers the line that a direction of a stream begins with. */
export class StreamHead {
  #bytes = Buffer.alloc(0);

  /** The line without its end and what follows it; undefined until it is whole, null when none comes. */
  add(piece: Buffer): { line: string; rest: Buffer } | null | undefined {
    const head = Buffer.concat([this.#bytes, piece]);
    const end = head.indexOf(10);
    if (end > MAX_HEAD_BYTES || (end === -1 && head.length > MAX_HEAD_BYTES)) return null;
    this.#bytes = head;
    return end === -1 ? undefined : { line: head.toString('utf8', 0, end), rest: head.subarray(end + 1) };
  }
}
