import type { DeliveryFailureReason } from '@pult/contract';
import type { AuditDetails } from '../../../../platform/audit.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { type Deliveries, DeliveryFailure } from '../../../../platform/delivery/index.ts';
import type { Encryptor } from '../../../../platform/encryptor.ts';
import {
  type CloudEvent,
  changeReceiver,
  deliverCloudEvent,
  type PostOptions,
  type WebhookReceiver,
  webhookReceiver,
} from '../../../../platform/webhooks/index.ts';
import type { AlertChannel } from '../channel.ts';
import { createSettingsRepository, type Unreadable } from '../settings.repository.ts';
import { writeAlertEvent } from './alert-event.ts';

const name = 'webhook';

/** A signed POST request to an address: docs/alerts.md. */
export function createWebhookChannel(dependencies: {
  encryptor: Encryptor;
  deliveries: Deliveries;
  publicUrl: string;
  clock: Clock;
  network: PostOptions;
}): AlertChannel<WebhookReceiver | Unreadable> {
  const { encryptor, deliveries, clock, publicUrl, network } = dependencies;
  const store = createSettingsRepository(encryptor, name, webhookReceiver);

  return {
    name,
    load: store.load,

    async save(transaction, { id }, { webhookUrl, newWebhookSecret = false }) {
      if (webhookUrl === null) {
        await store.save(transaction, id, null);
        await deliveries.deleteOfRule(transaction, id, name);
        return {};
      }
      const stored = (await store.load(transaction, [id])).get(id);
      const current = stored === 'unreadable' ? undefined : stored;
      const change = { url: webhookUrl, newSecret: newWebhookSecret, field: 'webhookUrl' };
      const changed = changeReceiver(current, change, network);
      if (!changed) return {};
      await store.save(transaction, id, changed);
      if (changed.secret === current?.secret) return {};
      return { shownOnce: { webhookSecret: changed.secret }, audit: { newWebhookSecret: true } };
    },

    show(current, { isWhole, lastResult }) {
      if (!current) return { webhook: null };
      if (current === 'unreadable') return { webhook: { url: null, lastResult } };
      const url = isWhole ? current.url : `${new URL(current.url).origin}/…`;
      return { webhook: { url, lastResult } };
    },

    describe(current): AuditDetails {
      return current && current !== 'unreadable' ? { webhookHost: new URL(current.url).host } : {};
    },

    render: (message) => [{ kind: message.kind, content: writeAlertEvent(message, publicUrl) }],

    async send({ id, content }, stored, signal) {
      // The right secrets.json may come back: it is tried again.
      if (stored === 'unreadable') throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
      // `render` makes an event.
      const event = content as CloudEvent;
      return deliveries.sendTo(stored.url, () =>
        deliverCloudEvent(stored, { id, event, at: clock.now() }, signal, network),
      );
    },

    reportTest: ({ result }) => ({ webhook: result }),
  };
}
