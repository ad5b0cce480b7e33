import type { Encryptor } from '../../platform/encryptor.ts';

const contextOf = (identityId: string) => `refresh token of ${identityId}`;

/** By which a provider is asked about somebody: kept encrypted. */
export const encryptRefreshToken = (encryptor: Encryptor, identityId: string, token: string): Buffer =>
  encryptor.encrypt(token, contextOf(identityId));

/** Undefined: it was encrypted with a key that is gone. */
export function decryptRefreshToken(
  encryptor: Encryptor,
  identityId: string,
  encrypted: Buffer,
): string | undefined {
  try {
    return encryptor.decrypt(encrypted, contextOf(identityId));
  } catch {
    return undefined;
  }
}
