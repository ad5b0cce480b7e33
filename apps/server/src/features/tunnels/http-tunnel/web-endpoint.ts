import type { HostCookie } from '../../../platform/http/host-cookie.ts';
import type { CookieFilter } from '../../../platform/http/reverse-proxy/cookie-filter.ts';
import type { WebInterface } from '../web-interface.ts';
import { createInterfaceCookies } from './tunnel-cookie.ts';

/** Where browsers reach one web interface: its origin and its cookies. */
export interface WebEndpoint {
  readonly web: WebInterface;
  readonly origin: string;
  readonly tunnelCookie: HostCookie;
  readonly deviceCookies: CookieFilter;
  /**
   * Other interfaces have been at this very origin before: what a browser keeps of them must be cleared, and an old
   * address must not lead on to what is there now.
   */
  readonly isReused: boolean;
}

export function createWebEndpoint(
  web: WebInterface,
  { origin, hasOwnHost, isReused = false }: { origin: string; hasOwnHost: boolean; isReused?: boolean },
): WebEndpoint {
  const isSecure = origin.startsWith('https:');
  const { tunnel, device } = createInterfaceCookies(web, { isSecure, hasOwnHost });
  return { web, origin, isReused, tunnelCookie: tunnel, deviceCookies: device };
}
