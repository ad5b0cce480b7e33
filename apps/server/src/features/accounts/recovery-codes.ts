import { randomInt } from 'node:crypto';
import { limits } from '@pult/contract';
import { hashToken } from '../../platform/ids.ts';

// Letters and digits without those that are mistaken for each other on paper: I, L, O, U, 0 and 1.
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

function createRecoveryCode(): string {
  const letters = Array.from(
    { length: limits.recoveryCodeLength },
    () => alphabet[randomInt(alphabet.length)],
  );
  return letters.join('').replace(/.{5}(?=.)/g, '$&-');
}

/** A user's whole set, each in groups of five: 25 characters, about 122 bits. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, createRecoveryCode);
}

/** What is stored of a code, however it is typed. The code is random, so that a plain hash is enough. */
export function hashRecoveryCode(typed: string): Buffer {
  return hashToken(typed.toUpperCase().replace(/[\s-]/g, ''));
}
