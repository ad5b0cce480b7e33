import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Addresses that mean something else inside a network than outside of it: what is local, private, shared by a
 * carrier's customers, for documentation, multicast or reserved (IANA's special-purpose registries).
 */
const specialIpv4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Inside the global 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const specialIpv6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const ipv4 = new BlockList();
for (const [network, prefix] of specialIpv4) ipv4.addSubnet(network, prefix, 'ipv4');
const ipv6 = new BlockList();
for (const [network, prefix] of specialIpv6) ipv6.addSubnet(network, prefix, 'ipv6');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');

/** The machine itself by whatever address, and its neighbours, who have global addresses of IPv6 too. */
function isOwn(address: string, family: 'ipv4' | 'ipv6'): boolean {
  const own = new BlockList();
  for (const { address: each, family: kind, cidr } of Object.values(networkInterfaces()).flatMap(
    (list) => list ?? [],
  )) {
    if (kind === 'IPv4') own.addAddress(each, 'ipv4');
    else own.addSubnet(each.split('%')[0] ?? each, Number(cidr?.split('/')[1] ?? 128), 'ipv6');
  }
  return own.check(address, family);
}

/** Whether an IP address is of the server's own network, or no public one at all. What is no address counts as such. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  if (isIPv4(address)) return ipv4.check(address, 'ipv4') || isOwn(address, 'ipv4');
  // IPv4 in IPv6 is outside of 2000::/3 in all its forms, or blocked in it.
  return !globalIpv6.check(address, 'ipv6') || ipv6.check(address, 'ipv6') || isOwn(address, 'ipv6');
}

/** The IP address that a URL has instead of a name, without brackets. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

/** What can be seen of a URL without asking for its name's addresses. */
export function isPrivateUrl(url: URL): boolean {
  const literal = literalAddress(url);
  return literal === undefined
    ? /(^|\.)(localhost|local|internal)\.?$/i.test(url.hostname)
    : isPrivateAddress(literal);
}
