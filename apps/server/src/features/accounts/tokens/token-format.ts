import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `pult_pat_` or `pult_svc_`, 30 random characters, and 6 of a checksum of these: the form of GitHub's tokens. A scanner for secrets finds it by its
 * beginning, and tells it from an accident by its end without asking us.
 */
const prefixes = { personal: 'pult_pat_', service: 'pult_svc_' } as const;
export type TokenKind = keyof typeof prefixes;

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
/** Of the random part, shown to tell a token from others. */
const shownLength = 4;

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let place = 0; place < checksumLength; place += 1) {
    checksum = `${digits[rest % digits.length]}${checksum}`;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
}

export function createToken(kind: TokenKind): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('');
  return `${prefixes[kind]}${random}${checksumOf(random)}`;
}

/** Whether it claims to be one of ours; nothing else that a Bearer may be begins so. */
export function isToken(text: string): boolean {
  return text.startsWith('pult_');
}

/** Whether it can be one of ours: a slip of the pen is told without asking the database. */
export function isWellFormed(token: string): boolean {
  const prefix = Object.values(prefixes).find((each) => token.startsWith(each));
  if (prefix === undefined) return false;
  const rest = token.slice(prefix.length);
  if (rest.length !== randomLength + checksumLength) return false;
  return checksumOf(rest.slice(0, randomLength)) === rest.slice(randomLength);
}

/** How it begins: enough to know it again in a file, and nothing to guess it by. */
export function showPrefix(token: string, kind: TokenKind): string {
  return token.slice(0, prefixes[kind].length + shownLength);
}
