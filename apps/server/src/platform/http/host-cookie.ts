import { fastifyCookie } from '@fastify/cookie';
import { readCookie } from './read-cookie.ts';

/** A cookie of one host alone that proves what its browser may reach there. */
export interface HostCookie {
  read(header: string | undefined): string | undefined;
  serialize(value: string, expires: Date): string;
}

/** `name` comes with the prefix `__Host-` where browsers reach the host by https. With `strict` no link of another site brings it. */
export function createHostCookie(
  name: string,
  { isSecure, sameSite = 'lax' }: { isSecure: boolean; sameSite?: 'lax' | 'strict' },
): HostCookie {
  const fullName = isSecure ? `__Host-${name}` : name;
  const attributes = { path: '/', httpOnly: true, sameSite, secure: isSecure } as const;
  return {
    read: (header) => readCookie(header, fullName),
    serialize: (value, expires) => fastifyCookie.serialize(fullName, value, { ...attributes, expires }),
  };
}
