import { fastifyCookie } from '@fastify/cookie';

/** The cookie of a tunnel host: of that host alone, and never shown to its device. */
export interface TunnelCookie {
  read(header: string | undefined): string | undefined;
  serialize(value: string, expires: Date): string;
  /** Any cookie name that is ours, on whichever host: devices neither see nor set one. */
  isOwn(name: string): boolean;
}

const ownName = /^(__host-|__secure-)?pult_/i;

export function createTunnelCookie({ secure }: { secure: boolean }): TunnelCookie {
  const name = secure ? '__Host-pult_tunnel' : 'pult_tunnel';
  return {
    read: (header) => (header === undefined ? undefined : fastifyCookie.parse(header)[name]),
    serialize: (value, expires) =>
      fastifyCookie.serialize(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure, expires }),
    isOwn: (candidate) => ownName.test(candidate),
  };
}
