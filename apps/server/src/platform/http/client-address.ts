import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { Logger } from '../log.ts';

/** The address of whoever made a request, as far as it can be believed. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Believes X-Forwarded-For from the named proxies only; from anyone else it is what a client may forge. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trust = proxyAddress.compile([...trustedProxies]);
  // A socket that is gone has no address any more.
  return (request) => proxyAddress(request, trust) ?? '';
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
 * address, so that one who guesses passwords locks out all of them.
 */
export function createForwardedWarning(
  trustedProxies: readonly string[],
  log: Logger,
): (request: IncomingMessage) => void {
  const trust = proxyAddress.compile([...trustedProxies]);
  let isSaid = false;
  return ({ headers, socket }) => {
    if (isSaid || headers['x-forwarded-for'] === undefined) return;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || trust(remoteAddress, 0)) return;
    isSaid = true;
    log.warn(
      { peer: remoteAddress },
      'ignored X-Forwarded-For: name the peer in TRUSTED_PROXIES if it is your proxy',
    );
  };
}
