import { createHostCookie, type HostCookie } from '../../../platform/http/host-cookie.ts';
import { type CookieFilter, createCookieFilter } from '../../../platform/http/reverse-proxy/cookie-filter.ts';

/** Those by which Grafana would know somebody on its own: it neither gets nor sets one. */
const identifying = /^(grafana_session|renderkey$)/i;

/** The cookies of Grafana's host: the one that opens it, never shown to Grafana, and Grafana's own. */
export function createGrafanaCookies({ isSecure }: { isSecure: boolean }): {
  access: HostCookie;
  grafana: CookieFilter;
} {
  return {
    access: createHostCookie('pult_grafana', { isSecure }),
    grafana: createCookieFilter({ isReserved: (name) => identifying.test(name), isSecure }),
  };
}
