import { z } from 'zod';
import { FieldError } from '../errors.ts';
import type { PostOptions } from './post-json.ts';
import { isPrivateUrl } from './private-network.ts';
import { createWebhookSecret } from './signature.ts';

/** Where a webhook goes, and the key that signs it: stored encrypted, as an address may be as secret as a key. */
export const webhookReceiver = z.object({ url: z.string(), secret: z.string() });
export type WebhookReceiver = z.infer<typeof webhookReceiver>;

/**
 * A receiver as it is changed; undefined where none is named and there was none. A key goes on signing as long as the receiver is at
 * the same origin. Throws FieldError of `field` for an address of the server's own network.
 */
export function changeReceiver(
  current: WebhookReceiver | undefined,
  change: { url: string | undefined; newSecret: boolean; field: string },
  { allowsPrivate }: Pick<PostOptions, 'allowsPrivate'>,
): WebhookReceiver | undefined {
  const { field, newSecret } = change;
  const url = change.url ?? current?.url;
  if (url === undefined) return undefined;
  if (change.url !== undefined && !allowsPrivate && isPrivateUrl(new URL(url))) {
    throw new FieldError(field, 'webhook_private');
  }
  const isSame = current !== undefined && new URL(current.url).origin === new URL(url).origin;
  return { url, secret: isSame && !newSecret ? current.secret : createWebhookSecret() };
}
