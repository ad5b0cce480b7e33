/** Both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The part of a body that a Range header asks for. Undefined stands for the whole: without a header, with one that
 * cannot be read, and with several ranges, which a server need not serve (RFC 9110, section 14.2).
 */
export function readByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start >= size || end < start ? 'unsatisfiable' : { start, end };
}
