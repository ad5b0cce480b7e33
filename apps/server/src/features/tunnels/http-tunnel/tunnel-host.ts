import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { HostHandler } from '../../../platform/http/host-server.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
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
import { createRememberedAccess } from './tunnel-access.ts';
import { createTunnelCookie } from './tunnel-cookie.ts';
import { isTunnelPath, toTunnelPath } from './tunnel-path.ts';

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

/** Everything under `<serial>.http.<domain>`: the way from a browser to a controller's web server. */
export function createTunnelHost(dependencies: Dependencies): HostHandler & { close(): void } {
  const { tunnels, links, live, hosts, events, log, clock, publicUrl } = dependencies;
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  const cookie = createTunnelCookie({ secure: scheme === 'https' });
  const agents = createDeviceAgents(links);
  const remembered = createRememberedAccess({ tunnels, events, clock });

  async function getAccess(
    request: IncomingMessage,
    serialNumber: string,
  ): Promise<TunnelAccess | undefined> {
    const value = cookie.read(request.headers.cookie);
    return value === undefined ? undefined : remembered.get(value, serialNumber);
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
    response
      .writeHead(303, {
        location: toTunnelPath(searchParams.get('path'), hosts.originOf(serialNumber)),
        'set-cookie': cookie.serialize(opened.cookie, opened.access.expiresAt),
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
  function isForeign(request: IncomingMessage, serialNumber: string): boolean {
    if (!isForeignOrigin(request.headers, hosts.originOf(serialNumber))) return false;
    const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = request.headers;
    const isLink = request.method === 'GET' && mode === 'navigate' && destination === 'document';
    return !(isLink && origin === undefined);
  }

  /** Without access, a page load goes through the console, which opens a tunnel and comes back. */
  function sendUnauthorized(request: IncomingMessage, response: ServerResponse, serialNumber: string): void {
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (!isPage) {
      sendPage(request, response, 'unauthorized', serialNumber);
      return;
    }
    const { url = '/' } = request;
    // A path that the console could not ask for is not worth a failure there.
    const query = isTunnelPath(url) && url !== '/' ? `?${new URLSearchParams({ path: url })}` : '';
    const location = `${publicUrl}/connect/http/${serialNumber}/${query}`;
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

    // The browser may have left during the look at the database: its end was told already.
    if (response.destroyed) return;
    const cut = () => response.destroy();
    let untrack = live.track(access.tunnelId, 'request', cut);
    response.on('close', () => untrack());
    proxyRequest(
      request,
      response,
      { ...targetFor(request, serialNumber), agent: agents.get(access) },
      {
        onFailure(error) {
          const { page, reason } = pageOfFailure(error);
          sendPage(request, response, page, serialNumber, reason);
        },
        onEventStream() {
          untrack();
          untrack = live.track(access.tunnelId, 'session', cut);
        },
      },
    );
  }

  async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const serialNumber = hosts.parse(request.headers.host) ?? null;
    if (serialNumber === null) return refuseUpgrade(socket, 404);
    if (request.headers.origin !== hosts.originOf(serialNumber)) return refuseUpgrade(socket, 403);
    const access = await getAccess(request, serialNumber);
    if (!access) return refuseUpgrade(socket, 401);
    const refuse = (error: unknown) => refuseUpgrade(socket, tunnelPages[pageOfFailure(error).page].status);
    let connection: Duplex;
    try {
      connection = await links.openService(access, 'http');
    } catch (error) {
      return refuse(error);
    }
    if (socket.destroyed) {
      connection.destroy();
      return;
    }
    socket.on(
      'close',
      live.track(access.tunnelId, 'session', () => socket.destroy()),
    );
    proxyUpgrade(request, socket, head, { ...targetFor(request, serialNumber), connection }, refuse);
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
