import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** The address of whoever made a request, as far as it can be believed. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Believes X-Forwarded-For from the named proxies only; from anyone else it is what a client may forge. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trust = proxyAddress.compile([...trustedProxies]);
  // A socket that is gone has no address any more.
  return (request) => proxyAddress(request, trust) ?? '';
}
