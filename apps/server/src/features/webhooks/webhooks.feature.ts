import type { DeliveryFailureReason } from '@pult/contract';
import type { AuditLog } from '../../platform/audit.ts';
import { DeliveryFailure, type DeliveryMethod } from '../../platform/delivery/index.ts';
import { createEncryptedJson } from '../../platform/encrypted-json.ts';
import type { Core, Feature } from '../../platform/feature.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import {
  type CloudEvent,
  deliverCloudEvent,
  postTries,
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
  const repository = createWebhooksRepository(db);
  const receivers = createEncryptedJson(encryptor, webhookReceiver, (id) => `webhook ${id}`);
  const happenings = createHappenings({ db, repository, deliveries, clock, publicUrl });
  observeAudit(happenings.tellOfAudit);

  const method: DeliveryMethod = {
    channel: webhookChannel,
    ...postTries,

    /** By the address and key of the moment of sending. */
    async send({ id, webhookId, content }, signal) {
      const owner = webhookId === null ? undefined : await repository.getOwner(webhookId);
      if (!owner) throw new DeliveryFailure('its webhook is gone', { isFinal: true });
      const receiver = receivers.read(owner.id, owner.receiver);
      if (!receiver) throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
      // Only `happenings` makes these.
      const event = content as CloudEvent;
      return deliveries.sendTo(receiver.url, () =>
        deliverCloudEvent(receiver, { id, event, at: clock.now() }, signal, network),
      );
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
    deliveries,
    rateLimiter: createRateLimiter(db, clock),
    network,
  });

  return {
    name: 'webhooks',
    jobs: [{ name: 'tell-presence', schedule: '* * * * *', run: happenings.tellOfPresence }],
    queuedJobs: [deliveries.serve(method)],
    routes: ({ api }) => registerWebhookRoutes(api, service, publicUrl),
  };
}
