import { createHostCookie, type HostCookie } from '../../../platform/http/host-cookie.ts';
import {
  type CookieFilter,
  createCookieFilter,
  type Renaming,
} from '../../../platform/http/reverse-proxy/cookie-filter.ts';
import { markOf, nameOf, type WebInterface } from './address.ts';

/** Names that browsers take over https alone. */
const secureName = /^__(host|secure)-/i;
/** Those that scripts must be able to read, and that open nothing without the session beside them. */
const forgeryToken = /[cx]srf/i;

interface InterfaceCookies {
  /** The one that opens the interface: never shown to its device. */
  tunnel: HostCookie;
  /** Those of the device. */
  device: CookieFilter;
}

/**
 * The cookies of one web interface. `hasOwnHost`: no other interface is reached by its host, so that browsers keep its
 * cookies apart. Otherwise it shares them with all that is on other ports of that host: there names tell them apart.
 */
export function createInterfaceCookies(
  web: WebInterface,
  { isSecure, hasOwnHost }: { isSecure: boolean; hasOwnHost: boolean },
): InterfaceCookies {
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
  return {
    tunnel: createHostCookie(`pult_tunnel${hasOwnHost ? '' : `_${nameOf(web)}`}`, {
      isSecure,
      sameSite: 'strict',
    }),
    device: createCookieFilter({ isSecure, renaming }),
  };
}
