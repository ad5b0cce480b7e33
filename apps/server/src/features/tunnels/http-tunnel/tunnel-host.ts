import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { type HostHandler, refuseUpgrade } from '../../../platform/http/host-server.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Links } from '../../devices/index.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelHosts } from '../tunnel-hosts.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { type TunnelsService, ticketPath } from '../tunnels.service.ts';
import { createDeviceAgents } from './device-agents.ts';
import { pageOfFailure } from './failures.ts';
import { sendTunnelPage, type TunnelPage, tunnelPages } from './pages.ts';
import { proxyRequest } from './proxy.ts';
import { proxyUpgrade } from './proxy-upgrade.ts';
import { createTunnelCookie } from './tunnel-cookie.ts';

interface Dependencies {
  tunnels: TunnelsService;
  links: Links;
  live: LiveTunnels;
  hosts: TunnelHosts;
  events: Events;
  log: Logger;
  clock: Clock;
  publicUrl: string;
  addressOf: ClientAddress;
  answerTimeoutMs?: number | undefined;
}

/** How long a look at the database counts for the many requests of one page, in milliseconds. */
const accessCacheTime = 2_000;
const maxCached = 10_000;

/** Everything under `<serial>.http.<domain>`: the way from a browser to a controller's web server. */
export function createTunnelHost(dependencies: Dependencies): HostHandler & { close(): void } {
  const { tunnels, links, live, hosts, events, log, clock, publicUrl } = dependencies;
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  const cookie = createTunnelCookie({ secure: scheme === 'https' });
  const agents = createDeviceAgents(links);
  const cache = new Map<string, { access: TunnelAccess; until: number }>();
  events.subscribe('accessEnded', () => cache.clear());

  async function getAccess(
    request: IncomingMessage,
    serialNumber: string,
  ): Promise<TunnelAccess | undefined> {
    const value = cookie.read(request.headers.cookie);
    if (value === undefined) return undefined;
    const now = clock.now().getTime();
    const cached = cache.get(value);
    if (cached && cached.until > now)
      return cached.access.serialNumber === serialNumber ? cached.access : undefined;
    const access = await tunnels.getByCookie(value, serialNumber);
    if (cache.size >= maxCached) cache.clear();
    if (access) cache.set(value, { access, until: now + accessCacheTime });
    else cache.delete(value);
    return access;
  }

  function sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    page: TunnelPage,
    serialNumber: string | null,
    reason = '',
  ): void {
    const consoleUrl = serialNumber ? `${publicUrl}/connect/http/${serialNumber}/` : publicUrl;
    sendTunnelPage(request, response, page, {
      consoleUrl,
      values: { serialNumber: serialNumber ?? '', reason },
    });
  }

  function targetFor(request: IncomingMessage, serialNumber: string) {
    return {
      forwardedBy: { address: dependencies.addressOf(request), scheme, host: request.headers.host ?? '' },
      tunnelOrigin: hosts.originOf(serialNumber),
      isOwnCookie: cookie.isOwn,
      answerTimeoutMs: dependencies.answerTimeoutMs ?? 120_000,
    };
  }

  /** Swaps the ticket for the cookie and goes on to a clean address. */
  async function openByTicket(
    request: IncomingMessage,
    response: ServerResponse,
    serialNumber: string,
  ): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', hosts.originOf(serialNumber));
    const opened = await tunnels.redeemHttpTicket(searchParams.get('ticket') ?? '', serialNumber);
    if (!opened) return sendPage(request, response, 'ticket', serialNumber);
    const path = searchParams.get('path') ?? '/';
    response
      .writeHead(303, {
        // A path of this very host, whatever the query says.
        location: /^\/(?![/\\])/.test(path) ? path : '/',
        'set-cookie': cookie.serialize(opened.cookie, opened.access.expiresAt),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-length': 0,
      })
      .end();
  }

  /**
   * Sibling tunnel hosts are the same site to a browser, so cookies go along between them: another
   * controller's page must not act through this one. A plain link from elsewhere may.
   */
  function isForeign(request: IncomingMessage, serialNumber: string): boolean {
    if (!isForeignOrigin(request.headers, hosts.originOf(serialNumber))) return false;
    const isLink = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
    return !(isLink && request.headers.origin === undefined);
  }

  /** Without access, a page load goes through the console, which opens a tunnel and comes back. */
  function sendUnauthorized(request: IncomingMessage, response: ServerResponse, serialNumber: string): void {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (!isPage) {
      sendPage(request, response, 'unauthorized', serialNumber);
      return;
    }
    const query = new URLSearchParams({ path: request.url ?? '/' });
    const location = `${publicUrl}/connect/http/${serialNumber}/?${query}`;
    response.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const serialNumber = hosts.parse(request.headers.host) ?? null;
    if (serialNumber === null) return sendPage(request, response, 'unknown', null);
    if (request.url?.split('?')[0] === ticketPath) return openByTicket(request, response, serialNumber);
    if (isForeign(request, serialNumber)) return sendPage(request, response, 'forbidden', serialNumber);
    const access = await getAccess(request, serialNumber);
    if (!access) return sendUnauthorized(request, response, serialNumber);
    if (!links.get(access.enrolmentId)) return sendPage(request, response, 'offline', serialNumber);

    const untrack = live.track(access.tunnelId, 'request', () => response.destroy());
    response.on('close', untrack);
    proxyRequest(
      request,
      response,
      { ...targetFor(request, serialNumber), agent: agents.get(access) },
      (error) => {
        const { page, reason } = pageOfFailure(error);
        sendPage(request, response, page, serialNumber, reason);
      },
    );
  }

  async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const serialNumber = hosts.parse(request.headers.host) ?? null;
    if (serialNumber === null) return refuseUpgrade(socket, '404 Not Found');
    if (request.headers.origin !== hosts.originOf(serialNumber))
      return refuseUpgrade(socket, '403 Forbidden');
    const access = await getAccess(request, serialNumber);
    if (!access) return refuseUpgrade(socket, '401 Unauthorized');
    try {
      const connection = await links.openService(access, 'http');
      const untrack = live.track(access.tunnelId, 'session', () => socket.destroy());
      socket.on('close', untrack);
      proxyUpgrade(request, socket, head, { ...targetFor(request, serialNumber), connection });
    } catch (error) {
      const { status } = tunnelPages[pageOfFailure(error).page];
      refuseUpgrade(socket, `${status} Unavailable`);
    }
  }

  return {
    matches: (request) => hosts.parse(request.headers.host) !== undefined,
    request(request, response) {
      handle(request, response).catch((error: Error) => {
        log.error({ error: error.message, host: request.headers.host }, 'tunnel request failed');
        if (response.headersSent) response.destroy();
        else response.writeHead(503, { 'content-length': 0 }).end();
      });
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      handleUpgrade(request, socket, head).catch((error: Error) => {
        log.error({ error: error.message, host: request.headers.host }, 'tunnel upgrade failed');
        socket.destroy();
      });
    },
    close: () => agents.close(),
  };
}
