import { randomBytes } from 'node:crypto';
import type { EnrolmentKeyState } from '@pult/contract';

const keyBytes = 20;
/** Of the key, in lists: 32 of its 160 bits. */
const prefixLength = 12;

/** 160 bits behind a word that tells what it is, to be marked by a double click. */
export function createEnrolmentKey(): { key: string; prefix: string } {
  const key = `pek_${randomBytes(keyBytes).toString('hex')}`;
  return { key, prefix: key.slice(0, prefixLength) };
}

/** The rows that say whether devices can use a key. */
export interface KeyLimits {
  uses: number;
  max_uses: number;
  expires_at: Date;
  revoked_at: Date | null;
}

export function getKeyState(key: KeyLimits, now: Date): EnrolmentKeyState {
  if (key.revoked_at) return 'revoked';
  if (key.expires_at <= now) return 'expired';
  return key.uses < key.max_uses ? 'active' : 'used_up';
}
