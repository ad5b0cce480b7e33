import { mailFields } from './mail.ts';
import { slackFields } from './slack.ts';
import { telegramFields } from './telegram.ts';
import { webhookFields } from './webhook.ts';

/** The fields that each channel adds to a rule as it is read, made, changed, saved and tested. */
export const channelFields = {
  rule: { ...mailFields.rule, ...webhookFields.rule, ...telegramFields.rule, ...slackFields.rule },
  create: {
    ...mailFields.create,
    ...webhookFields.create,
    ...telegramFields.create,
    ...slackFields.create,
  },
  update: {
    ...mailFields.update,
    ...webhookFields.update,
    ...telegramFields.update,
    ...slackFields.update,
  },
  saved: { ...mailFields.saved, ...webhookFields.saved, ...telegramFields.saved, ...slackFields.saved },
  tested: { ...mailFields.tested, ...webhookFields.tested, ...telegramFields.tested, ...slackFields.tested },
};
