import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The nonce that a device signs to come back without a challenge; the server keeps its hash alone. */
export interface ReturnToken {
  token: string;
  hash: Buffer;
}

const tokenBytes = 32;

export function createReturnToken(): ReturnToken {
  const token = randomBytes(tokenBytes).toString('base64url');
  return { token, hash: hashReturnToken(token) };
}

/** Whether it can be one: other nonces have other lengths. */
export function isReturnToken(nonce: string): boolean {
  const bytes = Buffer.from(nonce, 'base64url');
  // The last character of base64url has spare bits: one token has exactly one spelling here.
  return bytes.length === tokenBytes && bytes.toString('base64url') === nonce;
}

/** Whether it is the one of this hash; false where there is none. Its time says nothing of the hash. */
export function isReturnTokenOf(hash: Buffer | null, token: string): boolean {
  return hash !== null && timingSafeEqual(hash, hashReturnToken(token));
}

function hashReturnToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
