import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Core } from '../../../platform/core.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { isPageLoad, sendErrorPage } from '../../../platform/http/error-page.ts';
import { createHostCookie, type HostCookie } from '../../../platform/http/host-cookie.ts';
import type { HostHandler, HostSite } from '../../../platform/http/host-server.ts';
import { type CookieFilter, createCookieFilter } from '../../../platform/http/reverse-proxy/cookie-filter.ts';
import type { ProxyPolicy, Refusal, Upstream } from '../../../platform/http/reverse-proxy/policy.ts';
import { createReverseProxy } from '../../../platform/http/reverse-proxy/reverse-proxy.ts';
import { sendRedirect } from '../../../platform/http/send-redirect.ts';
import type { GrafanaAccessService } from './grafana-access.service.ts';
import type { GrafanaAccess } from './grafana-accesses.repository.ts';
import { identify, isOpenPath } from './grafana-identity.ts';
import { type GrafanaPage, grafanaPages } from './grafana-pages.ts';
import { organizationOfPath, readGrafanaPath } from './grafana-path.ts';
import { connectToGrafana, createGrafanaPool } from './grafana-pool.ts';
import type { LiveAccesses } from './live-accesses.ts';
import { readTicket } from './read-ticket.ts';

interface Dependencies {
  service: GrafanaAccessService;
  live: LiveAccesses;
  /** Grafana's own address. */
  url: string;
  /** Grafana as browsers see it. */
  origin: string;
  addressOf: ClientAddress;
}

/** On Grafana's host: where a ticket is swapped for its cookie. */
export const ticketPath = '/.pult/open';
/** On the console's host: where a page of Grafana that lacks the cookie gets a ticket. */
export const connectPath = '/connect/grafana/';
/** Grafana itself gives up a query after 30 s, unless it is set otherwise. */
const answerTimeoutMs = 120_000;

/** Those by which Grafana would know somebody on its own: it neither gets nor sets one. */
const identifying = /^(grafana_session|renderkey$)/i;

/** Everything under `grafana.<domain>`: proxies Grafana for browsers that have come from the console. */
export function createGrafanaHost(
  { publicUrl, log }: Core,
  { service, live, url, origin, addressOf }: Dependencies,
): HostHandler & { close(): void } {
  const { host } = new URL(origin);
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  const cookies = createGrafanaCookies({ isSecure: scheme === 'https' });
  const pool = createGrafanaPool(url);
  const proxy = createReverseProxy(log);

  const refuse = (page: GrafanaPage): Refusal => ({
    status: grafanaPages[page].status,
    logged: { page },
    send: (request, response) =>
      sendErrorPage(request, response, grafanaPages[page], { consoleUrl: publicUrl }),
  });

  /** A page load goes through the console, where the browser is known, and comes back. */
  const unauthorized: Refusal = {
    status: grafanaPages.unauthorized.status,
    logged: { page: 'unauthorized' satisfies GrafanaPage },
    send(request, response) {
      const { url: path = '/' } = request;
      const ownPath = readGrafanaPath(path, origin);
      if (!isPageLoad(request) || ownPath === undefined || organizationOfPath(path, origin) === undefined) {
        return refuse('unauthorized').send(request, response);
      }
      const query = new URLSearchParams({ path: ownPath });
      sendRedirect(response, 302, `${publicUrl}${connectPath}?${query}`);
    },
  };

  function upstreamFor(access: GrafanaAccess, address: string): Upstream {
    return {
      pool,
      connect: () => connectToGrafana(url),
      headers: {
        forwardedBy: { address, scheme, host },
        cookies: cookies.grafana,
        ...identify(access),
      },
      limits: { answerTimeoutMs, allowsLongUploads: false },
      track: (kind, cut) => live.track(access, kind, cut) ?? refuse('busy'),
    };
  }

  const policy: ProxyPolicy = {
    origin,
    addressOf: addressOf,
    async admit(request, address) {
      if (!isOpenPath(request, origin)) return refuse('forbidden');
      const cookie = cookies.access.read(request.headers.cookie);
      const access = cookie === undefined ? undefined : await service.getByCookie(cookie);
      if (!access) return unauthorized;
      // A page of another organization of the same person: that one wants a cookie of its own.
      const asked = organizationOfPath(request.url ?? '/', origin);
      if (asked === undefined || asked === access.grafanaId) return upstreamFor(access, address);
      return isPageLoad(request) ? unauthorized : refuse('forbidden');
    },
    forbidden: refuse('forbidden'),
    unexpectedBody: refuse('unexpectedBody'),
    refusalOf(error) {
      log.warn({ err: error }, 'Grafana did not answer a browser');
      return refuse('unavailable');
    },
  };

  /** Only a page of the console may log a browser in here: another's would log it in as somebody else. */
  async function openByTicket(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.headers.origin !== publicUrl) {
      request.resume();
      return refuse('forbidden').send(request, response);
    }
    const opened = await service.redeem(await readTicket(request));
    if (!opened) return refuse('ticket').send(request, response);
    sendRedirect(response, 303, readGrafanaPath(opened.access.path, origin) ?? '/', {
      'set-cookie': cookies.access.serialize(opened.cookie, opened.access.expiresAt),
    });
  }

  const site: HostSite = {
    request(request, response) {
      if (request.url?.split('?')[0] !== ticketPath) {
        return proxy.request(request, response, policy);
      }
      openByTicket(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'Grafana not opened by a ticket');
        if (response.headersSent) response.destroy();
        else response.writeHead(503, { 'content-length': 0 }).end();
      });
    },
    upgrade: (request, socket, head) => proxy.upgrade(request, socket, head, policy),
  };
  return {
    find: ({ headers }) => (headers.host?.toLowerCase() === host ? site : undefined),
    close: () => pool.destroy(),
  };
}

/** The cookies of Grafana's host: the one that opens it, never shown to Grafana, and Grafana's own. */
function createGrafanaCookies({ isSecure }: { isSecure: boolean }): {
  access: HostCookie;
  grafana: CookieFilter;
} {
  return {
    access: createHostCookie('pult_grafana', { isSecure }),
    grafana: createCookieFilter({ isReserved: (name) => identifying.test(name), isSecure }),
  };
}
