import { z } from 'zod';
import { alertMessageTypes, deliveryFailures } from '../../values/alerts.ts';
import { time } from '../text.ts';

/** How a rule's last message by one channel went. */
export const deliveryResult = z.object({
  /** Of the last try. */
  at: time,
  kind: z.enum(alertMessageTypes),
  delivered: z.boolean(),
  /** What the receiver answered; null when it did not. */
  status: z.number().int().nullable(),
  reason: z.enum(deliveryFailures).nullable(),
  attempts: z.number().int(),
  /** When it is tried again; null when it is not. */
  nextTryAt: time.nullable(),
});
export type DeliveryResult = z.infer<typeof deliveryResult>;
