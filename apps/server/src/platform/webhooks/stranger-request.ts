import { lookup } from 'node:dns';
import { type ClientRequest, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createBoundLookup, type ResolveName } from './bound-lookup.ts';
import { isPrivateAddress, literalAddress } from './private-network.ts';

/** Where requests to addresses that a user chose may go. */
export interface StrangerNetwork {
  /** The server's own network too. */
  allowsPrivate: boolean;
  /** Undefined: as the system does, few names at once. */
  resolve?: ResolveName | undefined;
  /** Of the whole call, the name's look-up included. */
  timeLimitMs?: number | undefined;
}

/** One for all strangers of the process. */
const lookupStranger = createBoundLookup(lookup);

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * Looks a name up for a connection. What is checked is what is connected to, so a name that stands for something
 * else a moment later helps nobody; one private address among others is enough to refuse.
 */
function createLookup(resolve: ResolveName, allowsPrivate: boolean): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('no address'), []);
      if (!allowsPrivate && addresses.some(({ address }) => isPrivateAddress(address))) {
        return callback(new PrivateAddressError(name), []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * A request to an address that a user chose, over a connection of its own, following no redirect. Throws PrivateAddressError, or ends
 * with one, where the address is of the server's own network and that is not allowed.
 */
export function requestStranger(
  address: string,
  options: Pick<RequestOptions, 'method' | 'headers'> & { signal: AbortSignal },
  { allowsPrivate, resolve = lookupStranger }: StrangerNetwork,
): ClientRequest {
  const url = new URL(address);
  // An address instead of a name is connected to without a look-up.
  const literal = literalAddress(url);
  if (!allowsPrivate && literal !== undefined && isPrivateAddress(literal)) {
    throw new PrivateAddressError(literal);
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return send(url, {
    ...options,
    // Of its own: no connection is kept, and none that was checked for somebody else is used.
    agent: false,
    maxHeaderSize: 16_384,
    lookup: createLookup(resolve, allowsPrivate),
  });
}
