import type { ClientRequest } from 'node:http';
import type { DeliveryFailureReason } from '@pult/contract';
import { PrivateAddressError, requestStranger, type StrangerNetwork } from './stranger-request.ts';

/** What the receiver answered, or why there is no answer. */
export type PostAnswer =
  | { status: number; retryAfter?: string | undefined; text?: string }
  | { reason: DeliveryFailureReason };

/** Characters of a refusal's body that are read. */
const longestText = 4096;

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
 * Posts JSON to an address that a user chose. Redirects are not followed, and of the answer only its head is looked at, besides the
 * beginning of a refusal's text where `readsRefusal` asks for it. Rejects only when `signal` aborts.
 */
export function postJson(
  address: string,
  {
    headers,
    body,
    readsRefusal = false,
  }: { headers: Record<string, string>; body: string; readsRefusal?: boolean },
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
    let refusal: { status: number; retryAfter: string | undefined; text: string } | undefined;
    const fail = (error: Error) => {
      if (signal.aborted) reject(error);
      // Who refuses has answered, even where the text never ends.
      else answer(refusal ?? { reason: reasonOf(error, timeLimit.aborted) });
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
      const { statusCode: status = 0 } = response;
      const head = { status, retryAfter: response.headers['retry-after'] };
      if (readsRefusal && status >= 400) {
        const read = { ...head, text: '' };
        refusal = read;
        // Its end, an error and a cut all close the request.
        response.setEncoding('utf8').on('error', () => {});
        response.on('data', (part: string) => {
          read.text = (read.text + part).slice(0, longestText);
          if (read.text.length === longestText) response.destroy();
        });
        return;
      }
      answer(head);
      // Whatever else it says is not read.
      response.destroy();
    });
    request.on('error', fail);
    // An unasked 101 ends the request without an answer and without an error.
    request.on('close', () => answer(refusal ?? { reason: 'unreachable' }));
    request.end(body);
  });
}
