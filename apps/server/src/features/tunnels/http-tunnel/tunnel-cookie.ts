import { fastifyCookie } from '@fastify/cookie';
import { readCookie } from '../../../platform/http/read-cookie.ts';
import { markOf, nameOf, type WebInterface } from '../web-interface.ts';
import { createDeviceCookies, type DeviceCookies, type Renaming } from './device-cookies.ts';

/** The cookie that opens one web interface: never shown to its device. */
export interface TunnelCookie {
  read(header: string | undefined): string | undefined;
  serialize(value: string, expires: Date): string;
}

/** Any cookie name that is ours, wherever. */
const ownName = /^(__host-|__secure-)?pult_/i;
const isOwn = (name: string) => ownName.test(name);
/** Names that browsers take over https alone. */
const secureName = /^__(host|secure)-/i;
/** Those that scripts must be able to read, and that open nothing without the session beside them. */
const forgeryToken = /[cx]srf/i;

/**
 * The cookies of one web interface. `hasOwnHost`: no other interface is reached by its host, so that browsers keep its
 * cookies apart. Otherwise it shares them with all that is on other ports of that host: there names tell them apart.
 */
export function createInterfaceCookies(
  web: WebInterface,
  { isSecure, hasOwnHost }: { isSecure: boolean; hasOwnHost: boolean },
): { tunnel: TunnelCookie; device: DeviceCookies } {
  const name = `${isSecure ? '__Host-' : ''}pult_tunnel${hasOwnHost ? '' : `_${nameOf(web)}`}`;
  const renaming: Renaming = hasOwnHost
    ? {
        marker: 'pult_d_',
        concerns: (cookie) => !isSecure && secureName.test(cookie),
        areHidden: false,
      }
    : {
        marker: `pult_d${markOf(web)}_`,
        concerns: (cookie) => !forgeryToken.test(cookie),
        areHidden: true,
      };
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return {
    tunnel: {
      read: (header) => readCookie(header, name),
      serialize: (value, expires) => fastifyCookie.serialize(name, value, { ...attributes, expires }),
    },
    device: createDeviceCookies({ isOwn, isSecure, renaming }),
  };
}
