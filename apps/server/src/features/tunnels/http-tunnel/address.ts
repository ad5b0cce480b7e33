import { createHash } from 'node:crypto';
import { openTunnelRequest, readEndpointPort } from '@pult/contract';
import { readOwnPath } from '../../../platform/http/own-path.ts';
import type { OwnName } from '../../../platform/http/reverse-proxy/headers.ts';
import { canHaveSubdomains } from '../../../platform/network.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** A web server of a controller: its own web interface, or the named endpoint on a further port. */
export interface WebInterface {
  serialNumber: string;
  /** Null for the controller's own. */
  port: number | null;
}

/** One word for it, of letters, digits and hyphens: serial numbers hold no two hyphens in a row. */
export function nameOf({ serialNumber, port }: WebInterface): string {
  return port === null ? serialNumber : `${serialNumber}--${port}`;
}

/** The same as a short mark. */
export function markOf(web: WebInterface): string {
  return createHash('sha256').update(nameOf(web)).digest('hex').slice(0, 12);
}

export function isSameInterface(one: WebInterface, other: WebInterface): boolean {
  return one.serialNumber === other.serialNumber && one.port === other.port;
}

/** How the hosts of HTTP tunnels are named: `<serial>[--<port>].http.<domain>`, in lower case. */
export interface TunnelHosts {
  /** The origin of a web interface's tunnel host. */
  originOf(web: WebInterface): string;
  /** Whose tunnel host this Host header names: null for none that can be, undefined for no tunnel host. */
  parse(host: string | undefined): WebInterface | null | undefined;
  /** Whether a TLS client asks for a tunnel host by this name, which has no port. */
  isTunnelName(serverName: string): boolean;
  /** False when the domain is an address or a single label other than localhost: it can have no subdomains. */
  readonly isPossible: boolean;
  readonly domain: string;
}

const labelPattern = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,34}[a-z0-9])?$/;

export function createTunnelHosts({
  domain,
  scheme,
}: {
  domain: string;
  scheme: 'http' | 'https';
}): TunnelHosts {
  const { hostname, host } = new URL(`${scheme}://${domain}`);
  const suffix = `.http.${host.toLowerCase()}`;
  const nameSuffix = `.http.${hostname.toLowerCase()}`;
  return {
    domain: host,
    isPossible: canHaveSubdomains(hostname),
    originOf: (web) => `${scheme}://${nameOf(web).toLowerCase()}${suffix}`,
    isTunnelName: (serverName) => serverName.toLowerCase().endsWith(nameSuffix),
    parse(header) {
      const name = header?.toLowerCase();
      if (name === undefined || !name.endsWith(suffix)) return undefined;
      const [label = '', port, ...rest] = name.slice(0, -suffix.length).split('--');
      if (!labelPattern.test(label) || rest.length > 0) return null;
      const serialNumber = label.toUpperCase();
      if (port === undefined) return { serialNumber, port: null };
      const endpointPort = readEndpointPort(port);
      return endpointPort === undefined ? null : { serialNumber, port: endpointPort };
    },
  };
}

/** The page of the console that opens a tunnel to a web interface, and goes on to that path of it. */
export function connectAddress(
  publicUrl: string,
  { serialNumber, port }: WebInterface,
  path: string | undefined,
): string {
  const query = new URLSearchParams({
    ...(port === null ? {} : { port: String(port) }),
    ...(path === undefined || path === '/' ? {} : { path }),
  });
  const address = `${publicUrl}/connect/http/${serialNumber}/`;
  return query.size > 0 ? `${address}?${query}` : address;
}

/** The page of the console about a controller: the way back from its web interface. */
export function controllerAddress(publicUrl: string, { serialNumber }: WebInterface): string {
  return `${publicUrl}/controllers/${serialNumber}`;
}

/** Whether the API takes this as the path to come back to. */
export function isTunnelPath(path: string): boolean {
  return openTunnelRequest.safeParse({ path }).success;
}

/** Where a browser goes on once it has its cookie: a path of this very origin, `/` for anything else. */
export function toTunnelPath(path: string | null, origin: string): string {
  return readOwnPath(path, origin) ?? '/';
}

/** By what name a service that is set so is spoken to, in place of the origin by which browsers reach it. */
export function readOwnName(
  origin: string,
  { scheme, hostHeader }: Pick<TunnelAccess, 'scheme' | 'hostHeader'>,
): OwnName | undefined {
  if (hostHeader === null) return undefined;
  return { origin, ownOrigin: new URL(`${scheme ?? 'http'}://${hostHeader}`).origin, host: hostHeader };
}
