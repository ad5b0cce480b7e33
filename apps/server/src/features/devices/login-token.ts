import { createHmac } from 'node:crypto';
import type { TokenSubject } from './activation-token.ts';

/**
 * What a device logs in with that has no key to sign by, base64url of 256 bits: an HMAC over what it stands for, as activation
 * tokens are, so that it is stored nowhere. The epoch grows with each release, and ends it.
 */
export function createLoginToken(
  key: Buffer,
  { serialNumber, publicKey, epoch }: Pick<TokenSubject, 'serialNumber' | 'publicKey' | 'epoch'>,
): string {
  return createHmac('sha256', key)
    .update(`login-token\n${serialNumber}\n${publicKey.toString('base64')}\n${epoch}`)
    .digest('base64url');
}
