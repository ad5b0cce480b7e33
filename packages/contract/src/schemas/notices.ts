import { z } from 'zod';
import { limits } from '../limits.ts';
import { containsFilter, oneOrMoreOf, pageOf, pageQuery } from './query.ts';
import { id, text, time } from './text.ts';

/** What a webhook's receiver is told about; `test` is somebody's press of a button. */
export const noticeKinds = ['controllers.lost', 'controllers.recovered', 'test'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Why a webhook did not arrive. */
export const webhookFailures = [
  /** Its name has no address. */
  'name_unknown',
  /** Its address is of the server's own network: see NOTICE_WEBHOOK_PRIVATE. */
  'address_private',
  'timeout',
  /** No connection, or it broke. */
  'unreachable',
  /** The certificate is not good. */
  'certificate',
  /** It answered with another address, which is not followed. */
  'redirect',
  /** It answered with another status than 2xx. */
  'status',
] as const;
export type WebhookFailure = (typeof webhookFailures)[number];

export const webhookResult = z
  .object({
    /** Of the last try. */
    at: time,
    kind: z.enum(noticeKinds),
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

export const noticeRule = z
  .object({
    id,
    /** The group that it is for, with all under it but those that have their own; null for the organization. */
    group: z.object({ id, name: z.string() }).nullable(),
    /** False switches notices off there. */
    enabled: z.boolean(),
    /** For how long a controller has not been seen before it is told. */
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
  .meta({ id: 'NoticeRule' });
export type NoticeRule = z.infer<typeof noticeRule>;

/** The key that signs the rule's webhooks, shown when it is made and never again. */
export const savedNoticeRule = noticeRule.extend({ webhookSecret: z.string().optional() });
export type SavedNoticeRule = z.infer<typeof savedNoticeRule>;

/** Which addresses a name stands for is looked at when it is connected to. */
const webhookUrl = text(limits.webhookUrlLength).refine((value) => {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === '' && password === '' && hostname !== '';
}, 'webhook_url');

const settings = {
  enabled: z.boolean(),
  minutes: z.number().int().min(1).max(limits.noticeMinutesMax),
  members: z
    .array(id)
    .max(limits.membersPerNoticeRule)
    .transform((ids) => [...new Set(ids)]),
  /** Null: none. One at another host than before gets a new key. */
  webhookUrl: webhookUrl.nullable(),
};
export const createNoticeRuleRequest = z.strictObject({
  group: id.nullable().default(null),
  enabled: settings.enabled.default(true),
  minutes: settings.minutes.default(10),
  members: settings.members.default([]),
  webhookUrl: settings.webhookUrl.default(null),
});
export const updateNoticeRuleRequest = z.strictObject({
  enabled: settings.enabled.optional(),
  minutes: settings.minutes.optional(),
  members: settings.members.optional(),
  webhookUrl: settings.webhookUrl.optional(),
  /** Makes a new key; what was signed with the old one is no longer good. */
  newWebhookSecret: z.boolean().optional(),
});

export const testedNoticeRule = z.object({
  /** How many mails were put on their way. */
  mails: z.number().int(),
  webhook: webhookResult.nullable(),
});
export type TestedNoticeRule = z.infer<typeof testedNoticeRule>;

export const noticeStates = ['open', 'recovered'] as const;
export type NoticeState = (typeof noticeStates)[number];

/** One controller that was lost for longer than its rule allows. */
export const notice = z
  .object({
    id,
    controller: z.object({ serialNumber: z.string(), description: z.string() }),
    /** Where the controller is now. */
    group: z.object({ id, name: z.string() }).nullable(),
    /** Since when it has been away. */
    lostAt: time,
    raisedAt: time,
    /** When it was told; null while others are being gathered, and where nobody was told. */
    toldAt: time.nullable(),
    recoveredAt: time.nullable(),
  })
  .meta({ id: 'Notice' });
export type Notice = z.infer<typeof notice>;
export const noticePage = pageOf(notice);

export const listNoticesQuery = z.strictObject({
  ...pageQuery,
  serial_number: containsFilter,
  state: oneOrMoreOf(noticeStates),
});
