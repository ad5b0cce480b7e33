import type { DeliveryFailureReason } from '@pult/contract';
import { DeliveryFailure } from '../delivery/index.ts';
import { type PostOptions, postJson } from './post-json.ts';

/**
 * Posts a delivery; see postJson. Resolves to the status from 200 to 299; throws DeliveryFailure on anything else. `findRetryAfter`: of
 * a receiver that says in the text of a refusal, and not in its head alone, how long it is to be left alone.
 */
export async function deliverJson(
  url: string,
  request: {
    headers?: Record<string, string>;
    body: string;
    findRetryAfter?: (refusal: string) => string | undefined;
  },
  signal: AbortSignal,
  options: PostOptions,
): Promise<number> {
  const { headers = {}, body, findRetryAfter } = request;
  const readsRefusal = findRetryAfter !== undefined;
  const answer = await postJson(url, { headers, body, readsRefusal }, signal, options);
  if ('reason' in answer) throw new DeliveryFailure(answer.reason);
  const { status, text = '' } = answer;
  if (status >= 200 && status < 300) return status;
  const reason: DeliveryFailureReason = status >= 300 && status < 400 ? 'redirect' : 'status';
  const retryAfter = findRetryAfter?.(text) ?? answer.retryAfter;
  throw new DeliveryFailure(reason, { status, retryAfter });
}
