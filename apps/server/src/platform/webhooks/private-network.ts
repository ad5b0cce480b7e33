import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { withoutBrackets } from '../network.ts';

/** Of IPv6 only these are given to anybody; the rest is of no network, or of special ones. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3');

/**
 * Addresses that look public, and are the cloud under the server: Azure's answers every virtual machine with its secrets.
 * Those of other clouds are of special ranges (link-local, carrier-grade NAT, IETF's, unique local).
 */
const cloudAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The machine itself by whatever address, and its neighbours, who have global addresses of IPv6 too. */
function isOwn(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .some(({ address: each, family, cidr }) => {
      const own = ipaddr.parse(each);
      if (own.kind() !== address.kind()) return false;
      return address.match(own, family === 'IPv4' ? 32 : Number(cidr?.split('/')[1] ?? 128));
    });
}

/** Whether an IP address is of the server's own network, or no public one at all. What is no address counts as such. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  // Not unwrapped: IPv4 in IPv6 is no public address in any of its forms.
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || cloudAddresses.has(parsed.toString()) || isOwn(parsed)) return true;
  return parsed.kind() === 'ipv6' && !parsed.match(globalIpv6);
}

/** The IP address that a URL has instead of a name, without brackets. */
export function literalAddress(url: URL): string | undefined {
  const host = withoutBrackets(url.hostname);
  return isIP(host) === 0 ? undefined : host;
}

/** What can be seen of a URL without asking for its name's addresses. */
export function isPrivateUrl(url: URL): boolean {
  const literal = literalAddress(url);
  return literal === undefined
    ? /(^|\.)(localhost|local|internal)\.?$/i.test(url.hostname)
    : isPrivateAddress(literal);
}
