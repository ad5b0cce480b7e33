import { z } from 'zod';
import { limits } from '../limits.ts';
import { alertKinds, alertStates } from '../values/alerts.ts';
import { channelFields } from './alert-channels/index.ts';
import { containsFilter, idsQuery, oneOrMoreOf, pageOf, pageQuery } from './query.ts';
import { id, time } from './text.ts';

export const alertRule = z.object({
  id,
  /** The group that it is for, with all under it but those that have their own; null for the organization. */
  group: z.object({ id, name: z.string() }).nullable(),
  /** False switches alerts off there. */
  enabled: z.boolean(),
  /** For how long a controller has been offline before its alert fires. */
  minutes: z.number().int(),
  ...channelFields.rule,
  createdAt: time,
});
export type AlertRule = z.infer<typeof alertRule>;

/** With what is shown once, when it is made. */
export const savedAlertRule = alertRule.extend(channelFields.saved);
export type SavedAlertRule = z.infer<typeof savedAlertRule>;

const minutes = z.number().int().min(1).max(limits.alertMinutesMax);
export const createAlertRuleRequest = z.strictObject({
  group: id.nullable().default(null),
  enabled: z.boolean().default(true),
  minutes: minutes.default(10),
  ...channelFields.create,
});
export type CreateAlertRuleRequest = z.output<typeof createAlertRuleRequest>;
export const updateAlertRuleRequest = z.strictObject({
  enabled: z.boolean().optional(),
  minutes: minutes.optional(),
  ...channelFields.update,
});
export type UpdateAlertRuleRequest = z.output<typeof updateAlertRuleRequest>;

export const testedAlertRule = z.object(channelFields.tested);
export type TestedAlertRule = z.infer<typeof testedAlertRule>;

/** One controller that was offline for longer than its rule allows, or has moved much of its budget of traffic. */
export const alert = z.object({
  id,
  kind: z.enum(alertKinds),
  controller: z.object({ serialNumber: z.string(), description: z.string() }),
  /** Where the controller is now. */
  group: z.object({ id, name: z.string() }).nullable(),
  /** Since when it has been offline; null in the other kinds. */
  offlineSince: time.nullable(),
  /** What it had moved in the month when it fired, and its budget; null for `offline`. */
  traffic: z.object({ bytes: z.number().int(), budget: z.number().int() }).nullable(),
  firedAt: time,
  /** When it was notified; null while others are being collected, and where nobody was notified. */
  notifiedAt: time.nullable(),
  /** Its mails are stored and were sent to nobody: the server had no mail server, and its rule no other channel. */
  isKept: z.boolean(),
  resolvedAt: time.nullable(),
});
export type Alert = z.infer<typeof alert>;
export const alertPage = pageOf(alert);

export const listAlertsQuery = z.strictObject({
  ...pageQuery,
  serial_number: containsFilter,
  kind: oneOrMoreOf(alertKinds),
  /** Of controllers that are in any of these groups now, or in a group under one of them. */
  group_ids: idsQuery(limits.groupsPerFilter),
  state: oneOrMoreOf(alertStates),
});
