import { limits } from '@pult/contract';
import { type CloudEvent, cloudEventType } from '../../../../platform/webhooks/index.ts';
import { type AlertMessage, alertsPath, type Message } from '../../message.ts';

/** Groups that a webhook names. */
const groupLimit = 100;

/** What the receiver of a rule's webhook is told. */
export function writeAlertEvent(message: Message, publicUrl: string): CloudEvent {
  const { kind, rule, at } = message;
  return {
    type: cloudEventType(kind),
    source: `${publicUrl}/organizations/${rule.organization.id}`,
    time: at.toISOString(),
    data: {
      organization: rule.organization,
      rule: { id: rule.id, group: rule.group, minutes: rule.minutes },
      url: `${publicUrl}${alertsPath(rule)}`,
      ...(message.kind === 'test' ? {} : listControllers(message, publicUrl)),
    },
  };
}

function listControllers({ kind, rule, count, groups, controllers }: AlertMessage, publicUrl: string) {
  return {
    count,
    groups: groups.slice(0, groupLimit),
    controllers: controllers.slice(0, limits.controllersPerWebhook).map((controller) => ({
      serialNumber: controller.serialNumber,
      description: controller.description,
      group: controller.groupId === null ? null : { id: controller.groupId, name: controller.groupName },
      ...(kind === 'alerts.traffic'
        ? { bytes: controller.bytes, budget: controller.budget }
        : {
            offlineSince: controller.offlineSince?.toISOString() ?? null,
            resolvedAt: controller.resolvedAt?.toISOString() ?? null,
          }),
      url: `${publicUrl}/organizations/${rule.organization.id}/controllers/${controller.serialNumber}`,
    })),
  };
}
