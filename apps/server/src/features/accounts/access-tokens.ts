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
/** Tokens whose signature is not checked again: one console asks with the same one for a quarter of an hour. */
const remembered = 10_000;

export function createAccessTokens(
  keys: { privateKey: KeyObject; publicKey: KeyObject },
  issuer: string,
  clock: Clock,
): AccessTokens {
  // Checking a signature takes a turn on one of the process's few threads, where logins and files wait as well.
  const verified = new Map<string, { sessionId: string; expiresAt: number }>();
  const remember = (token: string, session: { sessionId: string; expiresAt: number }) => {
    const [oldest] = verified.keys();
    if (verified.size >= remembered && oldest !== undefined) verified.delete(oldest);
    verified.set(token, session);
  };

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
      const known = verified.get(token);
      if (known) {
        if (clock.now().getTime() < known.expiresAt) return known.sessionId;
        verified.delete(token);
        return undefined;
      }
      try {
        const options = {
          algorithms: [algorithm],
          issuer,
          currentDate: clock.now(),
          requiredClaims: ['exp'],
        };
        const { payload } = await jwtVerify(token, keys.publicKey, options);
        const { sid: sessionId, exp = 0 } = payload;
        if (typeof sessionId !== 'string') return undefined;
        remember(token, { sessionId, expiresAt: exp * 1000 });
        return sessionId;
      } catch {
        return undefined; // forged, expired or no JWT at all: all the same to the caller
      }
    },
  };
}
