import { auditActionsOfOrganizations } from './audit.ts';

/** Controllers that are away, and that are back, told together once a minute. */
export const presenceEvents = ['controllers.offline', 'controllers.online'] as const;

/** An organization has no webhooks when it comes, and none when it goes; a webhook that fails would tell of itself
 * without end. */
const neverSent = ['organization.created', 'organization.deleted', 'webhook.failed'] as const;
type Sent = Exclude<(typeof auditActionsOfOrganizations)[number], (typeof neverSent)[number]>;

/** What webhooks tell of: what the organization's log holds, and who is there. */
export const webhookEvents = [
  ...presenceEvents,
  ...auditActionsOfOrganizations.filter(
    (action): action is Sent => !neverSent.some((each) => each === action),
  ),
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];
