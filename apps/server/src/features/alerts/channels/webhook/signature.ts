import { createHmac, randomBytes } from 'node:crypto';

/** Keys and signatures of Standard Webhooks 1.0 (standardwebhooks.com), for which receivers have libraries. */

const prefix = 'whsec_';

export function createWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
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
  const timestamp = Math.floor(at.getTime() / 1000);
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
