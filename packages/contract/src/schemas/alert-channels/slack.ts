import { z } from 'zod';
import { locales } from '../../locale.ts';
import { deliveryResult } from './delivery-result.ts';
import { webhookUrl } from './webhook.ts';

/** Messages to a channel of Slack, or of what takes the same webhooks (Mattermost, Rocket.Chat), by their address. */
export const slackFields = {
  rule: {
    slack: z
      .object({
        /** As that of a webhook: whole for those who may edit it, for others without its path, which is the secret. */
        url: z.string().nullable(),
        locale: z.enum(locales),
        lastResult: deliveryResult.nullable(),
      })
      .nullable(),
  },
  create: {
    /** Null: none. */
    slackUrl: webhookUrl.nullable().default(null),
    /** Of its messages. */
    slackLocale: z.enum(locales).default('ru'),
  },
  update: {
    /** Null: none. */
    slackUrl: webhookUrl.nullable().optional(),
    slackLocale: z.enum(locales).optional(),
  },
  saved: {},
  tested: { slack: deliveryResult.nullable() },
};
