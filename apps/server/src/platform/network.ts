import { isIP, isIPv6, SocketAddress } from 'node:net';

/**
 * What one client can be held to have: its IPv4 address, or the /64 of its IPv6 address, of which a single
 * machine uses as many as it likes. Anything else stays as it is.
 */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const [head = '', tail = ''] = new SocketAddress({ address: plain, family: 'ipv6' }).address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const groups = [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * Whether browsers find names below this one. An IP address (an IPv6 one in brackets) has none, nor has the bare name
 * of a machine on a local network; `localhost` has, as browsers take all names under it for themselves.
 */
export function canHaveSubdomains(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false;
  return hostname.includes('.') || hostname === 'localhost';
}
