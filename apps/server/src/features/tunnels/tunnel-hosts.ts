import { isIP } from 'node:net';

/** How the hosts of HTTP tunnels are named: `<serial in lower case>.http.<domain>`. */
export interface TunnelHosts {
  /** The origin of a controller's tunnel host. */
  originOf(serialNumber: string): string;
  /** Whose tunnel host this Host header names: a serial number, null for none that can be, undefined for no tunnel host. */
  parse(host: string | undefined): string | null | undefined;
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
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return {
    domain: host,
    isPossible: !isAddress && (hostname.includes('.') || hostname === 'localhost'),
    originOf: (serialNumber) => `${scheme}://${serialNumber.toLowerCase()}${suffix}`,
    parse(header) {
      const name = header?.toLowerCase();
      if (name === undefined || !name.endsWith(suffix)) return undefined;
      const label = name.slice(0, -suffix.length);
      return labelPattern.test(label) ? label.toUpperCase() : null;
    },
  };
}
