import { type Locale, negotiateLocale, type Route } from '@pult/contract';
import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

const locales = new WeakMap<FastifyRequest, Locale>();

/**
 * Of a call that a page makes by itself the header decides. Of a link and of an event stream it is the browser's and not the
 * console's, so there the language that is stored with the login counts.
 */
export function chooseLocale(
  request: FastifyRequest,
  route: Route,
  principal: Principal | undefined,
): Locale {
  const isOwnCall = (route.kind ?? 'json') === 'json';
  if (!isOwnCall && principal) locales.set(request, principal.locale);
  return readLocale(request);
}

/** The language of whatever the request is answered by. */
export function readLocale(request: FastifyRequest): Locale {
  return locales.get(request) ?? negotiateLocale(request.headers['accept-language']);
}
