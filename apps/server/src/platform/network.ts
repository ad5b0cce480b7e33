import { isIP, isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import ipaddr from 'ipaddr.js';

/** An address as people write it: that of an IPv4 client of an IPv6 socket in dots. Anything else stays as it is. */
export function toPlainAddress(address: string): string {
  // Node takes IPv4 in this one form alone, and the library others, such as `127.1`.
  if (isIP(address) !== 6) return address;
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : ipaddr.process(withoutZone(address)).toString();
}

/** The interface of a link-local address has names that the library refuses, such as `br-lan`. */
function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? '';
}

/**
 * What one client can be held to have: its IPv4 address, or the /64 of its IPv6 address, of which a single
 * machine uses as many as it likes. Anything else stays as it is.
 */
export function toNetwork(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(withoutZone(address));
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return toIpv6Network(parsed, 64);
}

/**
 * What one site can be held to have: the /24 of an IPv4 address, or the /48 of an IPv6 address, the most that
 * providers assign to one (RFC 6177). Anything else stays as it is.
 */
export function toSite(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(withoutZone(address));
  if (parsed instanceof ipaddr.IPv6) return toIpv6Network(parsed, 48);
  return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
}

function toIpv6Network({ parts }: ipaddr.IPv6, bits: 48 | 64): string {
  const groups = parts.slice(0, bits / 16).map((part) => part.toString(16));
  return `${groups.join(':')}::/${bits}`;
}

/**
 * A network as people write it, in one form: `10.0.0.0/8`, or a single address. Undefined for anything else. IPv4 in the clothes
 * of IPv6 is IPv4.
 */
export function readNetwork(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.trim().split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return undefined;
  if (bits === undefined) return ipaddr.process(address).toString();
  if (!/^\d{1,3}$/.test(bits)) return undefined;
  const parsed = ipaddr.parse(address);
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  const plain = ipaddr.process(address);
  const length = Number(bits) - (isMapped ? 96 : 0);
  const longest = plain.kind() === 'ipv4' ? 32 : 128;
  if (length < 0 || length > longest) return undefined;
  if (length === longest) return plain.toString();
  const cidr = `${plain.toString()}/${length}`;
  const kind = plain.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(cidr).toString()}/${length}`;
}

/** Whether an address, or a network as a whole, lies in one of these networks, each as `readNetwork` writes it. */
export function isInNetworks(place: string, networks: readonly string[]): boolean {
  const [address = '', bits] = place.split('/');
  if (isIP(address) === 0) return false;
  const plain = ipaddr.process(withoutZone(address));
  const length = Number(bits ?? (plain.kind() === 'ipv4' ? 32 : 128));
  return networks.some((network) => {
    const [range, rangeBits] = toCidr(network);
    return range.kind() === plain.kind() && rangeBits <= length && plain.match(range, rangeBits);
  });
}

function toCidr(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (network.includes('/')) return ipaddr.parseCIDR(network);
  const address = ipaddr.parse(network);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The host of a URL, without the brackets that an IPv6 address has there. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** The host of a URL without its brackets, and without the dot that may end a name. */
export function toHostName(hostname: string): string {
  return withoutBrackets(hostname).replace(/\.$/, '');
}

/** Whether a host of a URL is this machine alone, which is what `npm start` begins with. */
export function isOwnMachine(hostname: string): boolean {
  const name = toHostName(hostname);
  if (isIP(name) !== 0) return ipaddr.process(name).range() === 'loopback';
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Whether browsers find names below this one. An IP address (an IPv6 one in brackets) has none, nor has the bare name
 * of a machine on a local network; `localhost` has, as browsers take all names under it for themselves.
 */
export function canHaveSubdomains(hostname: string): boolean {
  if (isIP(withoutBrackets(hostname)) !== 0) return false;
  return hostname.includes('.') || hostname === 'localhost';
}

/** Networks inside the machine, of containers and virtual machines, and tunnels: no device stands in them. */
const inner = /^(br-|cni|docker|lxc|podman|tap|tailscale|tun|veth|virbr|vmnet|wg|zt)/;

/** IPv4 addresses by which other devices may reach this machine. */
export function listLanAddresses(interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  return Object.entries(interfaces)
    .filter(([name]) => !inner.test(name))
    .flatMap(([, addresses]) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => address);
}
