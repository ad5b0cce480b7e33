import type { ClientRequest } from 'node:http';
import type { DeliveryFailureReason } from '@pult/contract';
import { PrivateAddressError, requestStranger, type StrangerNetwork } from './stranger-request.ts';

/** What the receiver answered, or why there is no answer. */
export type PostAnswer = { status: number } | { reason: DeliveryFailureReason };

/** `allowsPrivate` is ALERT_WEBHOOK_PRIVATE. */
export type PostOptions = StrangerNetwork;

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
  network: PostOptions,
): Promise<PostAnswer> {
  const timeLimit = AbortSignal.timeout(network.timeLimitMs ?? 10_000);
  const sent = {
    'content-type': 'application/json',
    ...headers,
    'content-length': Buffer.byteLength(body),
    'user-agent': 'Pult-Webhook/1',
  };
  return new Promise((answer, reject) => {
    const fail = (error: Error) => {
      if (signal.aborted) reject(error);
      else answer({ reason: reasonOf(error, timeLimit.aborted) });
    };
    let request: ClientRequest;
    try {
      const options = { method: 'POST', headers: sent, signal: AbortSignal.any([signal, timeLimit]) };
      request = requestStranger(address, options, network);
    } catch (error) {
      if (!(error instanceof PrivateAddressError)) throw error;
      return fail(error);
    }
    request.on('response', (response) => {
      answer({ status: response.statusCode ?? 0 });
      // Whatever else it says is not read.
      response.destroy();
    });
    request.on('error', fail);
    // An unasked 101 ends the request without an answer and without an error.
    request.on('close', () => answer({ reason: 'unreachable' }));
    request.end(body);
  });
}
