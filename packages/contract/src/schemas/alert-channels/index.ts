import { mailFields } from './mail.ts';
import { webhookFields } from './webhook.ts';

/** The fields that each channel adds to a rule as it is read, made, changed, saved and tested. */
export const channelFields = {
  rule: { ...mailFields.rule, ...webhookFields.rule },
  create: { ...mailFields.create, ...webhookFields.create },
  update: { ...mailFields.update, ...webhookFields.update },
  saved: { ...mailFields.saved, ...webhookFields.saved },
  tested: { ...mailFields.tested, ...webhookFields.tested },
};
