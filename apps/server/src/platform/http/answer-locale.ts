import type { IncomingHttpHeaders } from 'node:http';
import { isLocale, type Locale, localeCookie, negotiateLocale, type Route } from '@pult/contract';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';
import { readCookie } from './read-cookie.ts';

const locales = new WeakMap<FastifyRequest, Locale>();

/**
 * Of what has the browser's header and not the console's, as a link, an event stream and a WebSocket: the language that the
 * console has stored in that browser (spec-coverage: accept-language from the stored preference), else that of the login.
 */
export function readStoredLocale(headers: IncomingHttpHeaders, otherwise: Locale): Locale {
  const stored = readCookie(headers.cookie, localeCookie);
  return isLocale(stored) ? stored : otherwise;
}

/** Of a call that a page makes by itself the header decides. */
export function chooseLocale(
  request: FastifyRequest,
  route: Route,
  principal: Principal | undefined,
): Locale {
  const isOwnCall = (route.kind ?? 'json') === 'json';
  if (!isOwnCall && principal) locales.set(request, readStoredLocale(request.headers, principal.locale));
  return readLocale(request);
}

/** The language of whatever the request is answered by. */
export function readLocale(request: FastifyRequest): Locale {
  return locales.get(request) ?? negotiateLocale(request.headers['accept-language']);
}
