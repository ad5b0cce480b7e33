/** A line without an end that is longer than any honest one. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

/** Cuts bytes into lines, wherever they are cut themselves. Keeps no more than one line. */
export function createLineSplitter(maxBytes: number): (chunk: Buffer) => string[] {
  let rest: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const part = chunk.subarray(start, end);
      if (size + part.length > maxBytes) throw new LineTooLongError();
      lines.push((rest.length > 0 ? Buffer.concat([...rest, part]) : part).toString('utf8'));
      rest = [];
      size = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      // A copy: a few bytes must not hold a whole chunk.
      rest.push(Buffer.from(chunk.subarray(start)));
      size += chunk.length - start;
      if (size > maxBytes) throw new LineTooLongError();
    }
    return lines;
  };
}
