import type { DeliveryFailureReason } from '@pult/contract';
import type { AuditLog } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import { DeliveryFailure, type DeliveryMethod } from '../../platform/delivery/index.ts';
import { createEncryptedJson } from '../../platform/encrypted-json.ts';
import type { Feature } from '../../platform/feature.ts';
import { createHourlyAudit } from '../../platform/hourly-audit.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import {
  type CloudEvent,
  deliverCloudEvent,
  postTries,
  type WebhookReceiver,
  webhookReceiver,
} from '../../platform/webhooks/index.ts';
import { createHappenings, webhookChannel } from './happenings.ts';
import { createWebhooksRepository } from './webhooks.repository.ts';
import { registerWebhookRoutes } from './webhooks.routes.ts';
import { createWebhooksService } from './webhooks.service.ts';

/** Events of organizations that are sent out: docs/webhooks.md. */
export function createWebhooksFeature(
  core: Core,
  { observeAudit }: { observeAudit: AuditLog['observe'] },
): Feature {
  const { db, clock, events, publicUrl, encryptor, deliveries } = core;
  const network = { allowsPrivate: core.config.alerts.allowsPrivateWebhooks };
  const rateLimiter = createRateLimiter(db, clock);
  const audit = createHourlyAudit({ ...core, rateLimiter });
  const repository = createWebhooksRepository(db);
  const receivers = createEncryptedJson(encryptor, webhookReceiver, (id) => `webhook ${id}`);
  const happenings = createHappenings(core, { repository });
  observeAudit(happenings.tellOfAudit);

  /**
   * That a receiver has asked for a pause, or that an event is given up: for the organization's admins. Of what
   * will be tried again the page of the webhook tells.
   */
  async function noteFailure(
    {
      id,
      name,
      organization_id: organizationId,
    }: NonNullable<Awaited<ReturnType<typeof repository.getOwner>>>,
    receiver: WebhookReceiver | undefined,
    { reason: cause, retryAt, isFinal, wasTried }: DeliveryFailure,
    attempts: number,
  ): Promise<void> {
    if (!wasTried || !(retryAt || isFinal || attempts >= postTries.maxAttempts)) return;
    const reason = retryAt ? ('paused' satisfies DeliveryFailureReason) : cause;
    const details = {
      reason,
      ...(receiver ? { webhookHost: new URL(receiver.url).host } : {}),
      ...(retryAt ? { expiresAt: retryAt.toISOString() } : {}),
    };
    const event = { action: 'webhook.failed', organizationId, subject: name, address: '' } as const;
    await audit(['webhook failed', id, reason], { ...event, details });
  }

  const method: DeliveryMethod = {
    channel: webhookChannel,
    ...postTries,

    /** By the address and key of the moment of sending. */
    async send({ id, webhookId, content, attempts }, signal) {
      const owner = webhookId === null ? undefined : await repository.getOwner(webhookId);
      if (!owner) throw new DeliveryFailure('its webhook is gone', { isFinal: true });
      const receiver = receivers.read(owner.id, owner.receiver);
      // Only `happenings` makes these.
      const event = content as CloudEvent;
      try {
        if (!receiver) throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
        return await deliveries.sendTo(receiver.url, () =>
          deliverCloudEvent(receiver, { id, event, at: clock.now() }, signal, network),
        );
      } catch (error) {
        if (error instanceof DeliveryFailure) await noteFailure(owner, receiver, error, attempts);
        throw error;
      }
    },

    async onTried({ webhookId }) {
      const owner = webhookId === null ? undefined : await repository.getOwner(webhookId);
      if (!owner) return;
      const organizationId = owner.organization_id;
      events.publish('organization', { organizationId, event: { type: 'webhooks.changed' } });
    },
  };

  const service = createWebhooksService(core, {
    repository,
    receivers,
    happenings,
    rateLimiter,
    network,
  });

  return {
    name: 'webhooks',
    jobs: [{ name: 'tell-presence', schedule: '* * * * *', run: happenings.tellOfPresence }],
    queuedJobs: [deliveries.serve(method)],
    routes: ({ api }) => registerWebhookRoutes(api, service, publicUrl),
  };
}
