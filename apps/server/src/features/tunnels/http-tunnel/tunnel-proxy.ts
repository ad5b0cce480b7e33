import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { isPageLoad, sendErrorPage } from '../../../platform/http/error-page.ts';
import type { HostSite } from '../../../platform/http/host-server.ts';
import { isForeignLink } from '../../../platform/http/origin.ts';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
import { logRefusal } from '../../../platform/http/reverse-proxy/log-refusal.ts';
import type { ProxyPolicy, Refusal, Upstream } from '../../../platform/http/reverse-proxy/policy.ts';
import { createReverseProxy } from '../../../platform/http/reverse-proxy/reverse-proxy.ts';
import { sendRedirect } from '../../../platform/http/send-redirect.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Tracing } from '../../../platform/tracing/tracing.ts';
import type { DeviceRouter } from '../../devices/index.ts';
import { grantOf } from '../live-tunnels.repository.ts';
import type { LiveTunnels, TunnelUse } from '../live-tunnels.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import type { WebCache } from '../web-cache/web-cache.ts';
import {
  connectAddress,
  controllerAddress,
  isTunnelPath,
  readOwnName,
  toTunnelPath,
  type WebInterface,
} from './address.ts';
import { connectInterface } from './connect.ts';
import { createDevicePools } from './device-pools.ts';
import { sendEntry } from './entry-page.ts';
import { pageOfFailure } from './failures.ts';
import { type TunnelPage, tunnelPages, type unauthorizedReasons } from './pages.ts';
import { type RedirectTargets, refuseEndlessRedirect, rewriteLocation } from './redirects.ts';
import { type TunnelProxy, tunnelTicketPath, type WebEndpoint } from './strategy.ts';
import type { NoteTls } from './tls-notes.ts';
import { createRememberedAccess } from './tunnel-access.ts';

type UnauthorizedReason = (typeof unauthorizedReasons)[number];

interface Dependencies {
  tunnels: TunnelsService;
  router: DeviceRouter;
  live: LiveTunnels;
  cache: WebCache;
  noteTls: NoteTls;
  events: Events;
  log: Logger;
  tracing: Tracing;
  clock: Clock;
  publicUrl: string;
  addressOf: ClientAddress;
  answerTimeoutMs?: number | undefined;
}

/** Leads back to the console from any page of a device, which has no link there, and gets none of ours. */
const backPath = '/.pult';

/** What the console mends by opening the tunnel anew. Of anything else a new tunnel would lead right back to the same page. */
const reopened: readonly TunnelPage[] = ['ticket', 'unauthorized', 'forbidden'];

export function createTunnelProxy(dependencies: Dependencies): TunnelProxy {
  const { tunnels, router, live, cache, noteTls, events, log, clock, publicUrl, addressOf } = dependencies;
  const { answerTimeoutMs = 120_000 } = dependencies;
  const pools = createDevicePools(router, noteTls);
  const remembered = createRememberedAccess({ tunnels, events, clock });
  const proxy = createReverseProxy(log, dependencies.tracing);

  const wayBack = (page: TunnelPage, of: WebInterface) =>
    reopened.includes(page) ? connectAddress(publicUrl, of, undefined) : controllerAddress(publicUrl, of);

  /** `said`: by the device, which people are told too. */
  function refuse(
    page: TunnelPage,
    web: WebInterface | null,
    { said = '', reason }: { said?: string; reason?: UnauthorizedReason } = {},
  ): Refusal {
    const { serialNumber, port } = web ?? {};
    return {
      status: tunnelPages[page].status,
      logged: { page, reason, serialNumber, port: port ?? undefined, said: said || undefined },
      send: (request, response) =>
        sendErrorPage(request, response, tunnelPages[page], {
          consoleUrl: web ? wayBack(page, web) : publicUrl,
          values: { serialNumber: serialNumber ?? '', port: String(port ?? ''), reason: said },
        }),
    };
  }

  /** Without access, a page load goes through the console, which opens a tunnel and comes back. */
  function refuseUnauthorized({ web, isReused }: WebEndpoint, reason: UnauthorizedReason): Refusal {
    const refusal = refuse('unauthorized', web, { reason });
    // An old address may mean another controller than the one that is here now.
    if (isReused) return refusal;
    return {
      ...refusal,
      send(request, response) {
        if (!isPageLoad(request)) return refusal.send(request, response);
        const { url = '/' } = request;
        // A path that the console could not ask for is not worth a failure there.
        sendRedirect(response, 302, connectAddress(publicUrl, web, isTunnelPath(url) ? url : undefined));
      },
    };
  }

  /** What is the same for all requests that come by an access is made once. */
  function createUpstreams(
    { web, origin, deviceCookies }: WebEndpoint,
    access: TunnelAccess,
  ): (request: IncomingMessage, address: string) => Upstream {
    const ownName = readOwnName(origin, access);
    const targets: RedirectTargets = {
      origin,
      ownOrigin: ownName?.ownOrigin,
      linkToEndpoint: (port, path) =>
        access.endpointPorts.includes(port) && port !== web.port
          ? connectAddress(publicUrl, { ...web, port }, isTunnelPath(path) ? path : undefined)
          : undefined,
    };
    const scheme = origin.startsWith('https:') ? 'https' : 'http';
    const grant = grantOf(access);
    let pool = pools.open(access);
    const connect = () => connectInterface(router, access, { noteTls: (old) => noteTls(access, old) });
    const limits = { answerTimeoutMs, allowsLongUploads: true };
    const answerCache = cache.cacheFor(access);
    const busy = refuse('busy', web);
    const checkAnswer: Upstream['checkAnswer'] = (answer, request) =>
      refuseEndlessRedirect(request, answer, targets);
    const rewrite = (location: string) => rewriteLocation(location, targets);
    return (request, address) => {
      const forwardedBy = { address, scheme, host: request.headers.host ?? '' };
      const use: TunnelUse = { grant, kind: 'http', address };
      // Its device has another link.
      if (pool.isClosed) pool = pools.open(access);
      return {
        pool,
        connect,
        headers: { forwardedBy, cookies: deviceCookies, ownName, rewriteLocation: rewrite },
        limits,
        cache: answerCache,
        checkAnswer,
        track(kind, cut) {
          try {
            return live.track(use, kind, cut);
          } catch (error) {
            // It throws for too many alone.
            if (!(error instanceof DomainError)) throw error;
            return { ...busy, logged: { ...busy.logged, ...error.logged, user: access.userId } };
          }
        },
      };
    };
  }

  function createPolicy(endpoint: WebEndpoint): ProxyPolicy {
    const { web, origin, tunnelCookie } = endpoint;
    const upstreams = new WeakMap<TunnelAccess, (request: IncomingMessage, address: string) => Upstream>();
    return {
      origin,
      addressOf,
      async admit(request, address) {
        const cookie = tunnelCookie.read(request.headers.cookie);
        if (cookie === undefined) return refuseUnauthorized(endpoint, 'no_cookie');
        const access = await remembered.get(cookie, web);
        if (!access) return refuseUnauthorized(endpoint, 'access_over');
        if (!router.get(access.enrolmentId)) {
          const refusal = await router.require(access).catch((error: unknown) => pageOfFailure(error, web));
          if (refusal) return refuse(refusal.page, web, { said: refusal.reason });
        }
        const upstreamFor = upstreams.get(access) ?? createUpstreams(endpoint, access);
        upstreams.set(access, upstreamFor);
        return upstreamFor(request, address);
      },
      forbidden: refuse('forbidden', web),
      unexpectedBody: refuse('unexpectedBody', web),
      refusalOf(error) {
        const { page, reason } = pageOfFailure(error, web);
        return refuse(page, web, { said: reason });
      },
    };
  }

  function send(request: IncomingMessage, response: ServerResponse, address: string, refusal: Refusal): void {
    logRefusal(log, request, address, refusal);
    refusal.send(request, response);
  }

  /** Swaps the ticket for the cookie and goes on to a clean address. */
  async function openByTicket(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    { web, origin, tunnelCookie, isReused }: WebEndpoint,
  ): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', origin);
    const opened = await remembered.redeem(searchParams.get('ticket') ?? '', web);
    if (!opened) return send(request, response, address, refuse('ticket', web));
    sendEntry(request, response, toTunnelPath(searchParams.get('path'), origin), {
      'set-cookie': tunnelCookie.serialize(opened.cookie, opened.access.expiresAt),
      // What an interface that was here before has left: its scripts must not meet this one's.
      ...(isReused ? { 'clear-site-data': '"cache", "storage"' } : {}),
    });
  }

  const nowhere: HostSite = {
    request: (request, response) => send(request, response, addressOf(request), refuse('unknown', null)),
    upgrade(request, socket) {
      const refusal = refuse('unknown', null);
      logRefusal(log, request, addressOf(request), refusal);
      refuseUpgrade(socket, refusal.status);
    },
  };

  return {
    siteOf(endpoint) {
      if (endpoint === null) return nowhere;
      const policy = createPolicy(endpoint);
      return {
        request(request, response) {
          const [path = ''] = request.url?.split('?') ?? [];
          if ((path === backPath || path === `${backPath}/`) && isPageLoad(request)) {
            // An old address may mean another controller than the one that is here now.
            const isKnown = !endpoint.isReused;
            const back = isKnown ? controllerAddress(publicUrl, endpoint.web) : publicUrl;
            return sendRedirect(response, 302, back);
          }
          if (path !== tunnelTicketPath) {
            // A GET of another page's choice may do something here: the console asks whether it is meant.
            if (request.url !== '/' && isForeignLink(request, endpoint.origin)) {
              return send(
                request,
                response,
                addressOf(request),
                refuseUnauthorized(endpoint, 'foreign_link'),
              );
            }
            return proxy.request(request, response, policy);
          }
          openByTicket(request, response, addressOf(request), endpoint).catch((error: unknown) => {
            log.error({ err: error, host: request.headers.host }, 'tunnel not opened by its ticket');
            if (response.headersSent) response.destroy();
            else response.writeHead(503, { 'content-length': 0 }).end();
          });
        },
        upgrade: (request, socket, head) => proxy.upgrade(request, socket, head, policy),
      };
    },
    close: () => pools.close(),
  };
}
