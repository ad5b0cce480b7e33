import { z } from 'zod';
import { limits } from '../limits.ts';
import { alertMessageTypes, alertStates, webhookFailures } from '../values/alerts.ts';
import { containsFilter, oneOrMoreOf, pageOf, pageQuery } from './query.ts';
import { id, text, time } from './text.ts';

export const webhookResult = z
  .object({
    /** Of the last try. */
    at: time,
    kind: z.enum(alertMessageTypes),
    delivered: z.boolean(),
    /** What the receiver answered; null when it did not. */
    status: z.number().int().nullable(),
    reason: z.enum(webhookFailures).nullable(),
    attempts: z.number().int(),
    /** When it is tried again; null when it is not. */
    nextTryAt: time.nullable(),
  })
  .meta({ id: 'WebhookResult' });
export type WebhookResult = z.infer<typeof webhookResult>;

export const alertRule = z
  .object({
    id,
    /** The group that it is for, with all under it but those that have their own; null for the organization. */
    group: z.object({ id, name: z.string() }).nullable(),
    /** False switches alerts off there. */
    enabled: z.boolean(),
    /** For how long a controller has been offline before its alert fires. */
    minutes: z.number().int(),
    /** Who get mails. */
    members: z.array(z.object({ userId: id, email: z.string() })),
    webhook: z
      .object({
        /** Whole for those who may edit it; for others without its path, which may be a secret. */
        url: z.string(),
        lastResult: webhookResult.nullable(),
      })
      .nullable(),
    createdAt: time,
  })
  .meta({ id: 'AlertRule' });
export type AlertRule = z.infer<typeof alertRule>;

/** The key that signs the rule's webhooks, shown when it is made and never again. */
export const savedAlertRule = alertRule.extend({ webhookSecret: z.string().optional() });
export type SavedAlertRule = z.infer<typeof savedAlertRule>;

/** Which addresses a name stands for is looked at when it is connected to. */
const webhookUrl = text(limits.webhookUrlLength).refine((value) => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === '' && password === '' && hostname !== '';
}, 'webhook_url');

const settings = {
  enabled: z.boolean(),
  minutes: z.number().int().min(1).max(limits.alertMinutesMax),
  members: z
    .array(id)
    .max(limits.membersPerAlertRule)
    .transform((ids) => [...new Set(ids)]),
  /** Null: none. One at another host than before gets a new key. */
  webhookUrl: webhookUrl.nullable(),
};
export const createAlertRuleRequest = z.strictObject({
  group: id.nullable().default(null),
  enabled: settings.enabled.default(true),
  minutes: settings.minutes.default(10),
  members: settings.members.default([]),
  webhookUrl: settings.webhookUrl.default(null),
});
export const updateAlertRuleRequest = z.strictObject({
  enabled: settings.enabled.optional(),
  minutes: settings.minutes.optional(),
  members: settings.members.optional(),
  webhookUrl: settings.webhookUrl.optional(),
  /** Makes a new key; what was signed with the old one is no longer good. */
  newWebhookSecret: z.boolean().optional(),
});

export const testedAlertRule = z.object({
  /** How many mails were put on their way. */
  mails: z.number().int(),
  webhook: webhookResult.nullable(),
});
export type TestedAlertRule = z.infer<typeof testedAlertRule>;

/** One controller that was offline for longer than its rule allows. */
export const alert = z
  .object({
    id,
    controller: z.object({ serialNumber: z.string(), description: z.string() }),
    /** Where the controller is now. */
    group: z.object({ id, name: z.string() }).nullable(),
    /** Since when it has been offline. */
    offlineSince: time,
    firedAt: time,
    /** When it was notified; null while others are being collected, and where nobody was notified. */
    notifiedAt: time.nullable(),
    resolvedAt: time.nullable(),
  })
  .meta({ id: 'Alert' });
export type Alert = z.infer<typeof alert>;
export const alertPage = pageOf(alert);

export const listAlertsQuery = z.strictObject({
  ...pageQuery,
  serial_number: containsFilter,
  state: oneOrMoreOf(alertStates),
});
