import type { DeliveryFailureReason } from '@pult/contract';
import { DeliveryFailure } from '../delivery/index.ts';
import { type PostOptions, postJson } from './post-json.ts';

/** Posts a delivery; see postJson. Resolves to the status from 200 to 299; throws DeliveryFailure on anything else. */
export async function deliverJson(
  url: string,
  request: { headers?: Record<string, string>; body: string },
  signal: AbortSignal,
  options: PostOptions,
): Promise<number> {
  const answer = await postJson(url, { headers: {}, ...request }, signal, options);
  if ('reason' in answer) throw new DeliveryFailure(answer.reason);
  const { status } = answer;
  if (status >= 200 && status < 300) return status;
  const reason: DeliveryFailureReason = status >= 300 && status < 400 ? 'redirect' : 'status';
  throw new DeliveryFailure(reason, { status });
}
