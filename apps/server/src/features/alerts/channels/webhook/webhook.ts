import type { DeliveryFailureReason } from '@pult/contract';
import { z } from 'zod';
import type { AuditDetails } from '../../../../platform/audit.ts';
import type { Clock } from '../../../../platform/clock.ts';
import { type Deliveries, DeliveryFailure } from '../../../../platform/delivery/index.ts';
import type { Encryptor } from '../../../../platform/encryptor.ts';
import { FieldError } from '../../../../platform/errors.ts';
import type { AlertChannel } from '../channel.ts';
import { deliverJson } from '../http/deliver-json.ts';
import type { PostOptions } from '../http/post-json.ts';
import { isPrivateUrl } from '../http/private-network.ts';
import { createSettingsRepository, type Unreadable } from '../settings.repository.ts';
import { writeWebhookBody } from './body.ts';
import { createWebhookSecret, signWebhook } from './signature.ts';

const name = 'webhook';

/** Where a rule's webhook goes, and the key that signs it. */
const settings = z.object({ url: z.string(), secret: z.string() });
type Settings = z.infer<typeof settings>;

/** A signed POST request to an address: docs/alerts.md. */
export function createWebhookChannel(dependencies: {
  encryptor: Encryptor;
  deliveries: Deliveries;
  publicUrl: string;
  clock: Clock;
  network: PostOptions;
}): AlertChannel<Settings | Unreadable> {
  const { encryptor, deliveries, clock, publicUrl, network } = dependencies;
  const store = createSettingsRepository(encryptor, name, settings);

  /** A key goes on signing as long as the receiver is at the same origin. */
  function change(
    current: Settings | undefined,
    { url, newSecret }: { url: string | undefined; newSecret: boolean },
  ): Settings | undefined {
    const target = url ?? current?.url;
    if (target === undefined) return undefined;
    if (url !== undefined && !network.allowsPrivate && isPrivateUrl(new URL(url))) {
      throw new FieldError('webhookUrl', 'webhook_private');
    }
    const isSame = current !== undefined && new URL(current.url).origin === new URL(target).origin;
    return { url: target, secret: isSame && !newSecret ? current.secret : createWebhookSecret() };
  }

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
      const changed = change(current, { url: webhookUrl, newSecret: newWebhookSecret });
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

    render: (message) => [{ kind: message.kind, content: writeWebhookBody(message, publicUrl) }],

    async send({ id, content }, stored, signal) {
      // The right secrets.json may come back: it is tried again.
      if (stored === 'unreadable') throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
      const { url, secret } = stored;
      // `render` makes a text.
      const body = content as string;
      const headers = signWebhook(secret, { id, at: clock.now(), body });
      return deliverJson(url, { headers, body }, signal, network);
    },

    reportTest: ({ result }) => ({ webhook: result }),
  };
}
