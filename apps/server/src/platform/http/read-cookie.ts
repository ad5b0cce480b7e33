import { fastifyCookie } from '@fastify/cookie';

/**
 * The value of the one cookie of that name; undefined when there is none, or more than one. Pages on other ports of a
 * host, and on other subdomains of its domain, can set a second one for a longer path, which browsers send first.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  let found: string | undefined;
  for (const part of header?.split(';') ?? []) {
    const pair = part.trim();
    if (!pair.startsWith(name) || pair.split('=', 1)[0]?.trim() !== name) continue;
    if (found !== undefined) return undefined;
    found = pair;
  }
  return found === undefined ? undefined : fastifyCookie.parse(found)[name];
}
