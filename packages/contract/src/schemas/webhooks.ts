import { z } from 'zod';
import { limits } from '../limits.ts';
import { deliveryFailures } from '../values/alerts.ts';
import { webhookDeliveryStates, webhookEvents } from '../values/webhooks.ts';
import { webhookUrl } from './alert-channels/webhook.ts';
import { oneOrMoreOf, pageOf, pageQuery } from './query.ts';
import { id, requiredText, time } from './text.ts';

export const webhookEvent = z.enum(webhookEvents);

/** Null: all there are, those of later versions too. */
const events = z
  .array(webhookEvent)
  .min(1)
  .max(webhookEvents.length)
  .transform((chosen) => [...new Set(chosen)])
  .nullable();

export const createWebhookRequest = z.strictObject({
  name: requiredText(limits.webhookNameLength),
  url: webhookUrl,
  events: events.default(null),
});
export type CreateWebhookRequest = z.output<typeof createWebhookRequest>;

export const updateWebhookRequest = z.strictObject({
  name: requiredText(limits.webhookNameLength).optional(),
  /** One at another origin than before gets a new key. */
  url: webhookUrl.optional(),
  events: events.optional(),
  enabled: z.boolean().optional(),
  /** Makes a new key; what was signed with the old one is no longer good. */
  newSecret: z.boolean().optional(),
});
export type UpdateWebhookRequest = z.output<typeof updateWebhookRequest>;

/** One event on its way to a webhook. */
export const webhookDelivery = z.object({
  id,
  event: z.union([webhookEvent, z.literal('test')]),
  /** When it happened. */
  createdAt: time,
  state: z.enum(webhookDeliveryStates),
  attempts: z.number().int(),
  /** Of the last try; null before the first. */
  triedAt: time.nullable(),
  /** What the receiver answered at the last try; null where it did not. */
  status: z.number().int().nullable(),
  reason: z.enum(deliveryFailures).nullable(),
  /** When it is tried again; null when it is not. */
  nextTryAt: time.nullable(),
  /** False once what it held is forgotten. */
  isKept: z.boolean(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** With what was sent, null once that is forgotten. */
export const wholeWebhookDelivery = webhookDelivery.extend({ body: z.string().nullable() });
export type WholeWebhookDelivery = z.infer<typeof wholeWebhookDelivery>;

export const webhookDeliveryPage = pageOf(webhookDelivery);
export const listWebhookDeliveriesQuery = z.strictObject({
  ...pageQuery,
  state: oneOrMoreOf(webhookDeliveryStates),
});

export const webhook = z.object({
  id,
  name: z.string(),
  /** Null: it was encrypted with a key of the server that is gone, and is to be entered anew. */
  url: z.string().nullable(),
  events: z.array(webhookEvent).nullable(),
  enabled: z.boolean(),
  createdAt: time,
  /** The email of who made it; null when that account is gone. */
  createdBy: z.string().nullable(),
  /** The delivery that was tried last. */
  lastDelivery: webhookDelivery.nullable(),
});
export type Webhook = z.infer<typeof webhook>;

/** With the key that signs, shown when it is made and never again. */
export const savedWebhook = webhook.extend({ secret: z.string().optional() });
export type SavedWebhook = z.infer<typeof savedWebhook>;
