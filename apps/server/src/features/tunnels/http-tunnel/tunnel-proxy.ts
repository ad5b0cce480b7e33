import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Links } from '../../devices/index.ts';
import { countBytes } from '../count-bytes.ts';
import { grantOf } from '../live-tunnels.repository.ts';
import type { ConnectionHandle, LiveTunnels, TunnelUse } from '../live-tunnels.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import { type TunnelsService, ticketPath } from '../tunnels.service.ts';
import type { WebInterface } from '../web-interface.ts';
import { connectAddress } from './connect-address.ts';
import { connectInterface } from './connect-interface.ts';
import { createDeviceAgents } from './device-agents.ts';
import { pageOfFailure } from './failures.ts';
import { sendTunnelPage, type TunnelPage, tunnelPages } from './pages.ts';
import { proxyRequest } from './proxy.ts';
import { proxyUpgrade } from './proxy-upgrade.ts';
import { createRememberedAccess } from './tunnel-access.ts';
import { isTunnelPath, toTunnelPath } from './tunnel-path.ts';
import type { WebEndpoint } from './web-endpoint.ts';

interface Dependencies {
  tunnels: TunnelsService;
  links: Links;
  live: LiveTunnels;
  events: Events;
  log: Logger;
  clock: Clock;
  publicUrl: string;
  addressOf: ClientAddress;
  answerTimeoutMs?: number | undefined;
}

/** Passes browsers' requests on to a controller's web server, once it is known which one they are for. */
export interface TunnelProxy {
  /** Null: for none that can be. */
  request(request: IncomingMessage, response: ServerResponse, endpoint: WebEndpoint | null): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, endpoint: WebEndpoint | null): void;
  close(): void;
}

export function createTunnelProxy(dependencies: Dependencies): TunnelProxy {
  const { tunnels, links, live, events, log, clock, publicUrl } = dependencies;
  const agents = createDeviceAgents(links);
  const remembered = createRememberedAccess({ tunnels, events, clock });

  const useOf = (request: IncomingMessage, access: TunnelAccess): TunnelUse => ({
    grant: grantOf(access),
    kind: 'http',
    address: dependencies.addressOf(request),
  });

  async function getAccess(
    request: IncomingMessage,
    endpoint: WebEndpoint,
  ): Promise<TunnelAccess | undefined> {
    const value = endpoint.tunnelCookie.read(request.headers.cookie);
    return value === undefined ? undefined : remembered.get(value, endpoint.web);
  }

  function sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    page: TunnelPage,
    web: WebInterface | null,
    reason = '',
  ): void {
    sendTunnelPage(request, response, page, {
      consoleUrl: web ? connectAddress(publicUrl, web, undefined) : publicUrl,
      values: { serialNumber: web?.serialNumber ?? '', port: String(web?.port ?? ''), reason },
    });
  }

  function targetFor(
    request: IncomingMessage,
    { web, origin, deviceCookies }: WebEndpoint,
    access: TunnelAccess,
  ) {
    const scheme = origin.startsWith('https:') ? 'https' : 'http';
    const linkToService = (port: number, path: string) =>
      access.servicePorts.includes(port) && port !== web.port
        ? connectAddress(publicUrl, { ...web, port }, isTunnelPath(path) ? path : undefined)
        : undefined;
    return {
      forwardedBy: { address: dependencies.addressOf(request), scheme, host: request.headers.host ?? '' },
      place: { origin, linkToService },
      cookies: deviceCookies,
      answerTimeoutMs: dependencies.answerTimeoutMs ?? 120_000,
    };
  }

  /** Swaps the ticket for the cookie and goes on to a clean address. */
  async function openByTicket(
    request: IncomingMessage,
    response: ServerResponse,
    { web, origin, tunnelCookie, isReused }: WebEndpoint,
  ): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', origin);
    const opened = await remembered.redeem(searchParams.get('ticket') ?? '', web);
    if (!opened) return sendPage(request, response, 'ticket', web);
    response
      .writeHead(303, {
        location: toTunnelPath(searchParams.get('path'), origin),
        'set-cookie': tunnelCookie.serialize(opened.cookie, opened.access.expiresAt),
        // What an interface that was here before has left: its scripts must not meet this one's.
        ...(isReused ? { 'clear-site-data': '"cache", "storage"' } : {}),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-length': 0,
      })
      .end();
  }

  /**
   * Sibling tunnel hosts are the same site to a browser, so cookies go along between them: another
   * controller's page must not act through this one, nor show it in a frame of its own. A plain link may.
   */
  function isForeign(request: IncomingMessage, endpoint: WebEndpoint): boolean {
    if (!isForeignOrigin(request.headers, endpoint.origin)) return false;
    const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = request.headers;
    const isLink = request.method === 'GET' && mode === 'navigate' && destination === 'document';
    return !(isLink && origin === undefined);
  }

  /** Without access, a page load goes through the console, which opens a tunnel and comes back. */
  function sendUnauthorized(
    request: IncomingMessage,
    response: ServerResponse,
    { web, isReused }: WebEndpoint,
  ): void {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    // An old address may mean another controller than the one that is here now.
    if (!isPage || isReused) {
      sendPage(request, response, 'unauthorized', web);
      return;
    }
    const { url = '/' } = request;
    // A path that the console could not ask for is not worth a failure there.
    const location = connectAddress(publicUrl, web, isTunnelPath(url) ? url : undefined);
    response.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: WebEndpoint | null,
  ): Promise<void> {
    if (endpoint === null) return sendPage(request, response, 'unknown', null);
    const { web } = endpoint;
    if (request.url?.split('?')[0] === ticketPath) return openByTicket(request, response, endpoint);
    if (isForeign(request, endpoint)) return sendPage(request, response, 'forbidden', web);
    const access = await getAccess(request, endpoint);
    if (!access) return sendUnauthorized(request, response, endpoint);
    if (!links.get(access.enrolmentId)) return sendPage(request, response, 'offline', web);

    // The browser may have left during the look at the database: its end was told already.
    if (response.destroyed) return;
    const cut = () => response.destroy();
    const use = useOf(request, access);
    let opened: ConnectionHandle;
    try {
      opened = live.track(use, 'request', cut);
    } catch {
      return sendPage(request, response, 'busy', web);
    }
    response.on('close', () => opened.end());
    proxyRequest(
      request,
      response,
      { ...targetFor(request, endpoint, access), agent: agents.get(access) },
      {
        onFailure(error) {
          const { page, reason } = pageOfFailure(error, web);
          sendPage(request, response, page, web, reason);
        },
        onEventStream() {
          // Its own place is free for it.
          opened.end();
          opened = live.track(use, 'session', cut);
        },
        onBytes: (bytesIn, bytesOut) => opened.count(bytesIn, bytesOut),
      },
    );
  }

  async function handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    endpoint: WebEndpoint | null,
  ): Promise<void> {
    if (endpoint === null) return refuseUpgrade(socket, 404);
    if (request.headers.origin !== endpoint.origin) return refuseUpgrade(socket, 403);
    const access = await getAccess(request, endpoint);
    if (!access) return refuseUpgrade(socket, 401);
    const refuse = (error: unknown) =>
      refuseUpgrade(socket, tunnelPages[pageOfFailure(error, endpoint.web).page].status);
    let connection: Duplex;
    try {
      connection = await connectInterface(links, access);
    } catch (error) {
      return refuse(error);
    }
    if (socket.destroyed) {
      connection.destroy();
      return;
    }
    let opened: ConnectionHandle;
    try {
      opened = live.track(useOf(request, access), 'session', () => socket.destroy());
    } catch {
      connection.destroy();
      return refuseUpgrade(socket, tunnelPages.busy.status);
    }
    socket.on('close', opened.end);
    proxyUpgrade(
      request,
      socket,
      head,
      { ...targetFor(request, endpoint, access), connection },
      {
        onFailure: refuse,
        onJoined: () => countBytes(opened, socket, connection),
      },
    );
  }

  return {
    request(request, response, endpoint) {
      handle(request, response, endpoint).catch((error: Error) => {
        log.error({ error: error.message, host: request.headers.host }, 'tunnel request failed');
        if (response.headersSent) response.destroy();
        else response.writeHead(503, { 'content-length': 0 }).end();
      });
    },
    upgrade(request, socket, head, endpoint) {
      socket.on('error', () => socket.destroy());
      handleUpgrade(request, socket, head, endpoint).catch((error: Error) => {
        log.error({ error: error.message, host: request.headers.host }, 'tunnel upgrade failed');
        socket.destroy();
      });
    },
    close: () => agents.close(),
  };
}
