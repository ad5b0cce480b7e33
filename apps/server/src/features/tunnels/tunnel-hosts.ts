import { readEndpointPort } from '@pult/contract';
import { canHaveSubdomains } from '../../platform/network.ts';
import { nameOf, type WebInterface } from './web-interface.ts';

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
