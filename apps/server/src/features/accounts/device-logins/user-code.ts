import { createHmac, randomInt } from 'node:crypto';
import { limits } from '@pult/contract';

/** No vowels, so that no words come about, and no letters that are read as others: RFC 8628, section 6.1. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** 34 bits: with the few guesses that one user has and the minutes that it counts, nobody hits one. */
export function createUserCode(): string {
  return Array.from({ length: limits.userCodeLength }, () => letters[randomInt(letters.length)]).join('');
}

/** In two halves, as one reads it out. */
export function showUserCode(code: string): string {
  const half = limits.userCodeLength / 2;
  return `${code.slice(0, half)}-${code.slice(half)}`;
}

/** Keyed: whoever reads the database alone could try out all codes against a plain hash. */
export function hashUserCode(key: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(`user-code\n${code}`).digest();
}
