import { type AlertMessageType, limits } from '@pult/contract';
import type { AlertedController, AlertedGroup } from './offline-detection.repository.ts';

/** What a rule notifies of in one message. */
export interface Message {
  kind: Exclude<AlertMessageType, 'test'>;
  rule: MessageRule;
  /** Of all groups together. */
  count: number;
  groups: readonly AlertedGroup[];
  /** The first ones, in the order of their groups. */
  controllers: readonly AlertedController[];
}

export interface MessageRule {
  id: string;
  minutes: number;
  group: { id: string; name: string } | null;
  organization: { id: string; name: string };
}

/** Groups that a webhook names. */
const groupLimit = 100;

function toGroup({ groupId, groupName }: AlertedController) {
  return groupId === null ? null : { id: groupId, name: groupName };
}

/** What the receiver of a webhook gets: the envelope of Standard Webhooks around what happened. */
export function writeWebhookBody(
  message: Message,
  { publicUrl, at }: { publicUrl: string; at: Date },
): string {
  const { kind, rule, count, groups, controllers } = message;
  const home = `${publicUrl}/organizations/${rule.organization.id}`;
  return JSON.stringify({
    type: kind,
    timestamp: at.toISOString(),
    data: {
      organization: rule.organization,
      rule: { id: rule.id, group: rule.group, minutes: rule.minutes },
      url: `${home}/alerts`,
      count,
      groups: groups.slice(0, groupLimit),
      controllers: controllers.slice(0, limits.controllersPerWebhook).map((controller) => ({
        serialNumber: controller.serialNumber,
        description: controller.description,
        group: toGroup(controller),
        offlineSince: controller.offlineSince.toISOString(),
        resolvedAt: controller.resolvedAt?.toISOString() ?? null,
        url: `${home}/controllers/${controller.serialNumber}`,
      })),
    },
  });
}

export function writeTestBody(rule: MessageRule, { publicUrl, at }: { publicUrl: string; at: Date }): string {
  return JSON.stringify({
    type: 'test' satisfies AlertMessageType,
    timestamp: at.toISOString(),
    data: {
      organization: rule.organization,
      rule: { id: rule.id, group: rule.group, minutes: rule.minutes },
      url: `${publicUrl}/organizations/${rule.organization.id}/alerts`,
    },
  });
}
