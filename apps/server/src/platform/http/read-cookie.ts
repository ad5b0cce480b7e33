import { fastifyCookie } from '@fastify/cookie';

/**
 * The value of the one cookie of that name; undefined when there is none, or more than one. Pages on other ports of a
 * host, and on other subdomains of its domain, can set a second one for a longer path, which browsers send first.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim()) ?? [];
  const [found, ...others] = pairs.filter((pair) => pair.split('=')[0]?.trim() === name);
  return found === undefined || others.length > 0 ? undefined : fastifyCookie.parse(found)[name];
}
