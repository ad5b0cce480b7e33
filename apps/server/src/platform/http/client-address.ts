import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Logger } from '../log.ts';
import { toPlainAddress } from '../network.ts';

/** The address of whoever made a request, as far as it can be believed. */
export type ClientAddress = (request: IncomingMessage) => string;

type Trust = ReturnType<typeof proxyAddress.compile>;

/** Believes X-Forwarded-For from the named proxies only; from anyone else it is what a client may forge. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trust = proxyAddress.compile([...trustedProxies]);
  return (request) => followProxies(request, trust).address;
}

/**
 * From the connection back to the first address that is no proxy's. Where a proxy names none, as in "unknown" (RFC 7239
 * section 6.2), whoever comes through it has its own.
 */
function followProxies(request: IncomingMessage, trust: Trust): { address: string; unread?: string } {
  // A socket that is gone has no address any more.
  const [peer = '', ...entries] = proxyAddress.all(request);
  let address = peer;
  for (const entry of entries) {
    if (!trust(address, 0)) break;
    const told = readForwarded(entry);
    if (told === undefined) return { address: toPlainAddress(address), unread: entry };
    address = told;
  }
  return { address: toPlainAddress(address) };
}

/**
 * The address in an entry of X-Forwarded-For. Load balancers write the client's port behind it, an IPv6 address in brackets
 * or not, and some the quotes that it has in `Forwarded` (RFC 7239 section 6).
 */
function readForwarded(entry: string): string | undefined {
  const text = entry.trim().replace(/^"([^"]*)"$/, '$1');
  const forms = [text, text.replace(/^\[([^\]]*)\](:\d{0,5})?$/, '$1'), text.replace(/:\d{0,5}$/, '')];
  return forms.find((form) => isIP(form) !== 0);
}

/** Whether a request comes from one of the named proxies itself, so that what it says of its client counts. */
export function createIsTrustedProxy(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => boolean {
  const trust = proxyAddress.compile([...trustedProxies]);
  return ({ socket: { remoteAddress } }) => remoteAddress !== undefined && trust(remoteAddress, 0);
}

/**
 * Says once that a forwarded address is ignored: every client behind a proxy that is not named has the proxy's
 * address, so that one who guesses passwords locks out all of them. So has one of whom a named proxy says no address.
 */
export function createForwardedWarning(
  trustedProxies: readonly string[],
  log: Logger,
): (request: IncomingMessage) => void {
  const trust = proxyAddress.compile([...trustedProxies]);
  const said = { ignored: false, unread: false };
  return (request) => {
    const { remoteAddress } = request.socket;
    if (request.headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return;
    if (!trust(remoteAddress, 0)) {
      if (said.ignored) return;
      said.ignored = true;
      log.warn(
        { peer: remoteAddress },
        'ignored X-Forwarded-For: name the peer in TRUSTED_PROXIES if it is your proxy',
      );
    } else if (!said.unread) {
      const { unread } = followProxies(request, trust);
      if (unread === undefined) return;
      said.unread = true;
      log.warn(
        { peer: remoteAddress, entry: unread.slice(0, 100) },
        'no address in X-Forwarded-For of a trusted proxy: its clients have the address of the proxy',
      );
    }
  };
}
