import type { ByteRange } from '../../platform/archives/index.ts';

/**
 * What of a file a `Range` header asks for (RFC 9110, section 14): undefined for all of it, also for what cannot be read
 * and for several parts, which a server may answer whole; `none` for a part that the file does not have.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end };
}
