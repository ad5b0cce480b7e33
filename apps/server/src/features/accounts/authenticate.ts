import type { IncomingHttpHeaders } from 'node:http';
import type { FoundPrincipal, Place } from '../../platform/access/index.ts';
import { DomainError } from '../../platform/errors.ts';
import { isSameOrigin } from '../../platform/http/origin.ts';
import { readCookie } from '../../platform/http/read-cookie.ts';
import type { SessionsService } from './sessions.service.ts';
import { isToken, type TokenLogins } from './tokens/index.ts';

/** The parts of a request that prove who makes it; a WebSocket's upgrade has them too. */
export interface CredentialedRequest {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
  /** The client's address, as far as it can be believed: a token may be good for some networks alone. */
  ip: string;
}

/** With a place what they are there is read in the same statement. */
export type Authenticate = (request: CredentialedRequest, place?: Place) => Promise<FoundPrincipal>;

/** Another scheme is not for us: a proxy may ask for a password of its own. */
export function isByBearer(headers: IncomingHttpHeaders): boolean {
  return /^Bearer\b/i.test(headers.authorization ?? '');
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Finds the user of a request by its bearer token or its cookie. A cookie is sent along by any page that makes a
 * browser call us, so what changes state and what opens a WebSocket must come from a page of ours.
 */
export function createAuthenticate(
  sessions: Pick<SessionsService, 'getPrincipalByAccessToken' | 'getPrincipalByCookie'>,
  tokens: TokenLogins,
  options: { sessionCookie: string; publicUrl: string },
): Authenticate {
  return async ({ method, headers, ip }, place) => {
    if (isByBearer(headers)) {
      const token = /^Bearer +(\S{1,4096})$/i.exec(headers.authorization ?? '')?.[1];
      if (token && isToken(token)) return tokens.require(token, ip, place);
      if (!token) throw new DomainError('not_authenticated', 'token_malformed');
      const principal = await sessions.getPrincipalByAccessToken(token, place);
      if (!principal) throw new DomainError('not_authenticated', 'session_over');
      return principal;
    }
    const token = readCookie(headers.cookie, options.sessionCookie);
    if (!token) throw new DomainError('not_authenticated', 'no_credentials');
    const principal = await sessions.getPrincipalByCookie(token, place);
    if (!principal) throw new DomainError('not_authenticated', 'session_over');
    const changesState = !safeMethods.includes(method ?? 'GET') || headers.upgrade !== undefined;
    if (changesState && !isSameOrigin(headers, options.publicUrl)) throw new DomainError('origin_forbidden');
    return principal;
  };
}
