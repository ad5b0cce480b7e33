import { createHash } from 'node:crypto';
import { encodeBase32 } from './base32.ts';

/** A serial is a DNS label without `--`, so that `<serial>--<port>` is an unambiguous host name. */
export const serialNumberPattern = /^(?!.*--)[A-Z0-9](?:[A-Z0-9-]{0,34}[A-Z0-9])?$/;

const PREFIX_LENGTH = 20;
const HASH_LENGTH = 10;

export function isSerialNumber(value: string): boolean {
  return serialNumberPattern.test(value) && !value.endsWith('\n');
}

/**
 * Turns whatever a board reports into a serial number. Latin lower case is upper-cased; anything
 * else that is not a serial becomes its readable part and a hash of the whole, always the same for
 * the same input. Only Latin letters change case: Unicode folding would make `ß` and `SS` one board.
 */
export function normalizeSerialNumber(raw: string): string {
  const upper = raw.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  if (isSerialNumber(upper)) return upper;
  const readable = upper
    .replace(/[^A-Z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, PREFIX_LENGTH)
    .replace(/-$/, '');
  // UTF-16 keeps lone surrogates apart, which UTF-8 would fold into one replacement character.
  const digest = createHash('sha256').update(Buffer.from(upper, 'utf16le')).digest();
  return `${readable || 'SN'}-${encodeBase32(digest).slice(0, HASH_LENGTH)}`;
}
