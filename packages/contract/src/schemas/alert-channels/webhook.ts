import { z } from 'zod';
import { limits } from '../../limits.ts';
import { text } from '../text.ts';
import { deliveryResult } from './delivery-result.ts';

/** Which addresses a name stands for is checked when it is connected to. */
export const webhookUrl = text(limits.webhookUrlLength).refine((value) => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === '' && password === '' && hostname !== '';
}, 'webhook_url');

/** A signed POST request to an address. */
export const webhookFields = {
  rule: {
    webhook: z
      .object({
        /**
         * Whole for those who may edit it; for others without its path, which may be a secret. Null: it was encrypted with a
         * key of the server that is gone, and is to be entered anew.
         */
        url: z.string().nullable(),
        lastResult: deliveryResult.nullable(),
      })
      .nullable(),
  },
  create: {
    /** Null: none. */
    webhookUrl: webhookUrl.nullable().default(null),
  },
  update: {
    /** Null: none. One at another host than before gets a new key. */
    webhookUrl: webhookUrl.nullable().optional(),
    /** Makes a new key; what was signed with the old one is no longer good. */
    newWebhookSecret: z.boolean().optional(),
  },
  saved: {
    /** The key that signs the rule's webhooks, shown when it is made and never again. */
    webhookSecret: z.string().optional(),
  },
  tested: { webhook: deliveryResult.nullable() },
};
