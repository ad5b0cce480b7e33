import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Keys and signatures of Standard Webhooks 1.0 (standardwebhooks.com), for which receivers have libraries. */

export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

interface Signed {
  /** The same at every try of one delivery. */
  id: string;
  /** Of this very try: a receiver refuses what is old. */
  at: Date;
  body: string;
}

/** The headers by which a receiver knows who sent the body and when. */
export function signWebhook(secret: string, { id, at, body }: Signed): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
