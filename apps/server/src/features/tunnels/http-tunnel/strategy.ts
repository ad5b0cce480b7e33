import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../platform/errors.ts';
import type { HostCookie } from '../../../platform/http/host-cookie.ts';
import type { HostHandler, HostSite } from '../../../platform/http/host-server.ts';
import type { CookieFilter } from '../../../platform/http/reverse-proxy/cookie-filter.ts';
import type { TunnelKind } from '../tunnel-kind.ts';
import type { TunnelTarget } from '../tunnels.repository.ts';
import type { TunnelHosts, WebInterface } from './address.ts';
import { createInterfaceCookies } from './tunnel-cookie.ts';

/** How browsers reach web interfaces: each by a host name of its own, or by a port of this server. */
export interface EndpointStrategy extends HostHandler {
  /**
   * The origin of a web interface from now on, which that user opens. Throws `tunnel_host_unavailable` where there can be none, and
   * `tunnel_ports_exhausted` while there is no place for it.
   */
  open(target: TunnelTarget, port: number | null, userId: string): Promise<string>;
  /** Resumes what another run of the server has left. */
  start(): Promise<void>;
  /** Takes no more connections, and ends those there are with the answers under way. */
  drain(): void;
  /** Resolves when no request is being answered on listeners of its own. */
  whenIdle(): Promise<void>;
  /** Takes a renewed certificate for the connections to come. Throws when key and certificate differ. */
  renewTls(tls: { cert: string; key: string }): void;
  /** Cuts what is left. */
  close(): void;
}

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

/** On a web interface's origin: where a ticket is swapped for the tunnel's cookie. */
export const tunnelTicketPath = '/.pult/open';

/** Web interfaces and named endpoints: their requests and WebSockets come to the hosts or ports of the strategy. */
export function createHttpTunnelKind(strategy: Pick<EndpointStrategy, 'open'>): TunnelKind<'http'> {
  return {
    name: 'http',
    upgrades: [],
    async prepare(target, port, userId) {
      const origin = await strategy.open(target, port, userId);
      return ({ ticket, path }) => `${origin}${tunnelTicketPath}?${new URLSearchParams({ ticket, path })}`;
    },
  };
}

/** Passes browsers' requests on to controllers' web servers. */
export interface TunnelProxy {
  /** What answers at one of them; made once for many requests. Null: for an address that none can have. */
  siteOf(endpoint: WebEndpoint | null): HostSite;
  close(): void;
}

/** Those asked for last, by what their browsers call their host. */
const maxSites = 1_000;

/** Web interfaces by name: each has a host of its own under `http.<domain>`, on the port of everything else. */
export function createTunnelNames({
  hosts,
  proxy,
}: {
  hosts: TunnelHosts;
  proxy: TunnelProxy;
}): EndpointStrategy {
  const sites = new LRUCache<string, HostSite>({ max: maxSites });
  const nowhere = proxy.siteOf(null);
  return {
    find({ headers: { host } }) {
      if (host === undefined) return undefined;
      const known = sites.get(host);
      if (known) return known;
      const web = hosts.parse(host);
      if (!web) return web === null ? nowhere : undefined;
      const site = proxy.siteOf(createWebEndpoint(web, { origin: hosts.originOf(web), hasOwnHost: true }));
      sites.set(host, site);
      return site;
    },
    async open({ serialNumber }, port) {
      if (!hosts.isPossible) throw new DomainError('tunnel_host_unavailable', { host: hosts.domain });
      return hosts.originOf({ serialNumber, port });
    },
    async start() {},
    whenIdle: async () => {},
    drain() {},
    renewTls() {},
    close: () => proxy.close(),
  };
}
