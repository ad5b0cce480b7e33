import type { KeyObject } from 'node:crypto';
import { lifetimes } from '@pult/contract';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../platform/clock.ts';

export interface AccessTokens {
  /** A signed name of a session, good for 15 minutes. */
  create(session: { sessionId: string; userId: string }): Promise<string>;
  /** The session it names, or undefined. Whether the session lives is asked of the database. */
  verify(token: string): Promise<string | undefined>;
}

const algorithm = 'EdDSA';

export function createAccessTokens(
  keys: { privateKey: KeyObject; publicKey: KeyObject },
  issuer: string,
  clock: Clock,
): AccessTokens {
  return {
    create({ sessionId, userId }) {
      const now = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(userId)
        .setIssuer(issuer)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimes.accessToken)
        .sign(keys.privateKey);
    },
    async verify(token) {
      try {
        const options = { algorithms: [algorithm], issuer, currentDate: clock.now() };
        const { payload } = await jwtVerify(token, keys.publicKey, options);
        return typeof payload.sid === 'string' ? payload.sid : undefined;
      } catch {
        return undefined; // forged, expired or no JWT at all: all the same to the caller
      }
    },
  };
}
