import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { negotiateLocale } from '@pult/contract';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { HostHandler } from '../../../platform/http/host-server.ts';
import { isForeignOrigin } from '../../../platform/http/origin.ts';
import { refuseUpgrade } from '../../../platform/http/refuse-upgrade.ts';
import type { Logger } from '../../../platform/log.ts';
import type { GrafanaAccessService } from './grafana-access.service.ts';
import type { GrafanaAccess } from './grafana-accesses.repository.ts';
import { connectToGrafana, createGrafanaAgent } from './grafana-agent.ts';
import { createGrafanaCookie } from './grafana-cookie.ts';
import type { HeaderRules } from './grafana-headers.ts';
import { identify, isOpenPath } from './grafana-identity.ts';
import { type GrafanaPage, grafanaPages, renderGrafanaPage } from './grafana-pages.ts';
import { organizationOfPath, readGrafanaPath } from './grafana-path.ts';
import { proxyToGrafana, proxyUpgradeToGrafana } from './grafana-proxy.ts';
import type { LiveAccesses } from './live-accesses.ts';
import { readTicket } from './read-ticket.ts';

interface Dependencies {
  service: GrafanaAccessService;
  live: LiveAccesses;
  /** Grafana's own address. */
  url: string;
  /** Grafana as browsers see it. */
  origin: string;
  publicUrl: string;
  addressOf: ClientAddress;
  log: Logger;
}

/** On Grafana's host: where a ticket is swapped for its cookie. */
export const ticketPath = '/.pult/open';
/** On the console's host: where a page of Grafana that lacks the cookie gets a ticket. */
export const connectPath = '/connect/grafana/';
const connectTimeoutMs = 10_000;

/** Everything under `grafana.<domain>`: proxies Grafana for browsers that have come from the console. */
export function createGrafanaHost(dependencies: Dependencies): HostHandler & { close(): void } {
  const { service, live, url, origin, publicUrl, log } = dependencies;
  const { host } = new URL(origin);
  const scheme = publicUrl.startsWith('https:') ? 'https' : 'http';
  const cookie = createGrafanaCookie({ secure: scheme === 'https' });
  const agent = createGrafanaAgent(url);

  function sendPage(request: IncomingMessage, response: ServerResponse, page: GrafanaPage): void {
    if (response.headersSent) {
      // Part of Grafana's answer is out: only a cut connection says that the rest is missing.
      response.destroy();
      return;
    }
    const locale = negotiateLocale(request.headers['accept-language']);
    const { html, policy } = renderGrafanaPage(page, locale, publicUrl);
    response
      .writeHead(grafanaPages[page].status, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': Buffer.byteLength(html),
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        vary: 'accept-language',
      })
      .end(request.method === 'HEAD' ? undefined : html);
  }

  function rulesFor(request: IncomingMessage, access: GrafanaAccess): HeaderRules {
    const address = dependencies.addressOf(request);
    const forwarded = ['X-Forwarded-For', address, 'X-Forwarded-Proto', scheme, 'X-Forwarded-Host', host];
    const identity = identify(access);
    return { ...identity, added: [...identity.added, ...forwarded], isReservedCookie: cookie.isReserved };
  }

  async function getAccess(request: IncomingMessage): Promise<GrafanaAccess | undefined> {
    const value = cookie.read(request.headers.cookie);
    return value === undefined ? undefined : service.getByCookie(value);
  }

  /** Only a page of the console may log a browser in here: another's would log it in as somebody else. */
  async function openByTicket(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.headers.origin !== publicUrl) {
      request.resume();
      return sendPage(request, response, 'forbidden');
    }
    const opened = await service.redeem(await readTicket(request));
    if (!opened) return sendPage(request, response, 'ticket');
    response
      .writeHead(303, {
        location: readGrafanaPath(opened.access.path, origin) ?? '/',
        'set-cookie': cookie.serialize(opened.cookie, opened.access.expiresAt),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-length': 0,
      })
      .end();
  }

  function isPageLoad({ method, headers }: IncomingMessage): boolean {
    return method === 'GET' && headers.accept?.includes('text/html') === true;
  }

  /** A sibling host, where a controller's own page runs, may lead here by a link and by nothing else. */
  function isForeign(request: IncomingMessage): boolean {
    if (!isForeignOrigin(request.headers, origin)) return false;
    const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin: sender } = request.headers;
    const isLink = request.method === 'GET' && mode === 'navigate' && destination === 'document';
    return !(isLink && sender === undefined);
  }

  /** A page load goes through the console, where the browser is known, and comes back. */
  function sendToConsole(request: IncomingMessage, response: ServerResponse, path: string): void {
    const organization = organizationOfPath(path, origin);
    const ownPath = readGrafanaPath(path, origin);
    if (!isPageLoad(request) || ownPath === undefined || organization === undefined) {
      sendPage(request, response, 'unauthorized');
      return;
    }
    const location = `${publicUrl}${connectPath}?${new URLSearchParams({ path: ownPath })}`;
    response.writeHead(302, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '/' } = request;
    if (path.split('?')[0] === ticketPath) return openByTicket(request, response);
    if (isForeign(request) || !isOpenPath(request, origin)) return sendPage(request, response, 'forbidden');
    const access = await getAccess(request);
    if (!access) return sendToConsole(request, response, path);
    // A page of another organization of the same person: that one wants a cookie of its own.
    const asked = organizationOfPath(path, origin);
    if (asked !== undefined && asked !== access.grafanaId) {
      if (isPageLoad(request)) return sendToConsole(request, response, path);
      return sendPage(request, response, 'forbidden');
    }

    // The browser may have left during the look at the database: its end was told already.
    if (response.destroyed) return;
    response.on(
      'close',
      live.track(access.id, () => response.destroy()),
    );
    proxyToGrafana(request, response, { agent, rules: rulesFor(request, access) }, (error) => {
      log.warn({ error: error.message }, 'Grafana did not answer a browser');
      sendPage(request, response, 'unavailable');
    });
  }

  async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (request.headers.origin !== origin || !isOpenPath(request, origin)) return refuseUpgrade(socket, 403);
    const access = await getAccess(request);
    if (!access) return refuseUpgrade(socket, 401);
    const connection = connectToGrafana(url);
    try {
      await once(connection, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
    } catch {
      connection.destroy();
      return refuseUpgrade(socket, 503);
    }
    if (socket.destroyed) {
      connection.destroy();
      return;
    }
    socket.on(
      'close',
      live.track(access.id, () => socket.destroy()),
    );
    proxyUpgradeToGrafana(request, socket, head, { connection, rules: rulesFor(request, access) });
  }

  return {
    matches: ({ headers }) => headers.host?.toLowerCase() === host,
    request(request, response) {
      handle(request, response).catch((error: Error) => {
        log.error({ error: error.message }, 'request to Grafana failed');
        if (response.headersSent) response.destroy();
        else response.writeHead(503, { 'content-length': 0 }).end();
      });
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      handleUpgrade(request, socket, head).catch((error: Error) => {
        log.error({ error: error.message }, 'upgrade to Grafana failed');
        socket.destroy();
      });
    },
    close: () => agent.destroy(),
  };
}
