import { type LookupAddress, lookup } from 'node:dns';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { DeliveryFailureReason } from '@pult/contract';
import { isPrivateAddress, literalAddress } from './private-network.ts';

/** What the receiver answered, or why there is no answer. */
export type PostAnswer = { status: number } | { reason: DeliveryFailureReason };

/** As `dns.lookup` with `all`; tests bring their own names. */
export type ResolveName = (
  name: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface PostOptions {
  /** ALERT_WEBHOOK_PRIVATE. */
  allowsPrivate: boolean;
  resolve?: ResolveName | undefined;
  /** Of the whole call, the name's look-up included. */
  timeLimitMs?: number | undefined;
}

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * Looks a name up for a connection. What is checked is what is connected to, so a name that stands for something
 * else a moment later helps nobody; one private address among others is enough to refuse.
 */
export function createLookup(resolve: ResolveName, allowsPrivate: boolean): LookupFunction {
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

function reasonOf(error: NodeJS.ErrnoException, isTimeOver: boolean): DeliveryFailureReason {
  if (isTimeOver) return 'timeout';
  if (error instanceof PrivateAddressError) return 'address_private';
  const { code = '' } = error;
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'].includes(code)) return 'name_unknown';
  if (/CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED/.test(code)) return 'certificate';
  return 'unreachable';
}

/**
 * Posts JSON to an address that a user chose. Redirects are not followed, and of the answer only its status is
 * looked at. Rejects only when `signal` aborts.
 */
export function postJson(
  address: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  signal: AbortSignal,
  { allowsPrivate, resolve = lookup, timeLimitMs = 10_000 }: PostOptions,
): Promise<PostAnswer> {
  const url = new URL(address);
  // An address instead of a name is connected to without a look-up.
  const literal = literalAddress(url);
  if (!allowsPrivate && literal !== undefined && isPrivateAddress(literal)) {
    return Promise.resolve({ reason: 'address_private' });
  }
  const timeLimit = AbortSignal.timeout(timeLimitMs);
  return new Promise((answer, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request: ClientRequest = send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...headers,
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Pult-Webhook/1',
      },
      // Of its own: no connection is kept, and none that was checked for somebody else is used.
      agent: false,
      maxHeaderSize: 16_384,
      lookup: createLookup(resolve, allowsPrivate),
      signal: AbortSignal.any([signal, timeLimit]),
    });
    request.on('response', (response) => {
      answer({ status: response.statusCode ?? 0 });
      // Whatever else it says is not read.
      response.destroy();
    });
    request.on('error', (error) => {
      if (signal.aborted) reject(error);
      else answer({ reason: reasonOf(error, timeLimit.aborted) });
    });
    // An unasked 101 ends the request without an answer and without an error.
    request.on('close', () => answer({ reason: 'unreachable' }));
    request.end(body);
  });
}
