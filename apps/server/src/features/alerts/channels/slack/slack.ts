import { type DeliveryFailureReason, locales } from '@pult/contract';
import { z } from 'zod';
import { type Deliveries, DeliveryFailure } from '../../../../platform/delivery/index.ts';
import type { Encryptor } from '../../../../platform/encryptor.ts';
import { FieldError } from '../../../../platform/errors.ts';
import { deliverJson, isPrivateUrl, type PostOptions } from '../../../../platform/webhooks/index.ts';
import type { AlertChannel } from '../channel.ts';
import { fitLines, writeChatText } from '../chat/chat-text.ts';
import { createSettingsRepository, type Unreadable } from '../settings.repository.ts';

const name = 'slack';
/** Slack cuts what is longer than 40,000; nobody reads so much. */
const longestText = 8_000;

const settings = z.object({ url: z.string(), locale: z.enum(locales) });
type Settings = z.infer<typeof settings>;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Slack's own marks are its three entities (api.slack.com, "Formatting text"); Mattermost and Rocket.Chat, which take the same
 * webhooks, read Markdown and mentions. A space of no width behind each such mark leaves it a letter.
 */
function quoteForSlack(value: string): string {
  return value
    .replace(/[&<>]/g, (mark) => entities[mark] ?? mark)
    .replace(/[*_~`@#![\]|\\]/g, (mark) => `${mark}\u200b`);
}

/** Messages by the incoming webhook of a channel: docs/alerts.md. */
export function createSlackChannel(dependencies: {
  encryptor: Encryptor;
  deliveries: Deliveries;
  publicUrl: string;
  network: PostOptions;
}): AlertChannel<Settings | Unreadable> {
  const { encryptor, deliveries, publicUrl, network } = dependencies;
  const store = createSettingsRepository(encryptor, name, settings);

  return {
    name,
    load: store.load,

    async save(transaction, { id }, { slackUrl, slackLocale }) {
      if (slackUrl === null) {
        await store.save(transaction, id, null);
        await deliveries.deleteOfRule(transaction, id, name);
        return {};
      }
      if (slackUrl !== undefined && !network.allowsPrivate && isPrivateUrl(new URL(slackUrl))) {
        throw new FieldError('slackUrl', 'webhook_private');
      }
      const stored = (await store.load(transaction, [id])).get(id);
      const current = stored === 'unreadable' ? undefined : stored;
      const url = slackUrl ?? current?.url;
      if (url === undefined) return {};
      await store.save(transaction, id, { url, locale: slackLocale ?? current?.locale ?? 'ru' });
      return {};
    },

    show(current, { isWhole, lastResult }) {
      if (!current) return { slack: null };
      if (current === 'unreadable') return { slack: { url: null, locale: 'ru', lastResult } };
      const url = isWhole ? current.url : `${new URL(current.url).origin}/…`;
      return { slack: { url, locale: current.locale, lastResult } };
    },

    describe: (current) =>
      current && current !== 'unreadable' ? { slackHost: new URL(current.url).host } : {},

    render(message, current) {
      // Whoever cannot be reached is told of by the failure of the delivery.
      const locale = current && current !== 'unreadable' ? current.locale : 'ru';
      const { title, lines, link } = writeChatText(message, { locale, publicUrl, quote: quoteForSlack });
      const text = `${fitLines([`*${title}*`, ...lines], longestText)}\n<${link.url}|${link.text}>`;
      return [{ kind: message.kind, content: JSON.stringify({ text }) }];
    },

    async send({ content }, stored, signal) {
      // The right secrets.json may come back: it is tried again.
      if (stored === 'unreadable') throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
      const { url } = stored;
      // `render` makes a text.
      const body = content as string;
      return deliveries.sendTo(url, () => deliverJson(url, { body }, signal, network));
    },

    reportTest: ({ result }) => ({ slack: result }),
  };
}
