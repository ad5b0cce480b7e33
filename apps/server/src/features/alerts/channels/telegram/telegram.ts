import { type DeliveryFailureReason, locales } from '@pult/contract';
import { z } from 'zod';
import { type Deliveries, DeliveryFailure } from '../../../../platform/delivery/index.ts';
import type { Encryptor } from '../../../../platform/encryptor.ts';
import { FieldError } from '../../../../platform/errors.ts';
import { deliverJson } from '../../../../platform/webhooks/index.ts';
import type { AlertChannel } from '../channel.ts';
import { fitLines, writeChatText } from '../chat/chat-text.ts';
import { createSettingsRepository, type Unreadable } from '../settings.repository.ts';

const name = 'telegram';
/** `sendMessage` of the Bot API refuses what is longer. */
const longestMessage = 4_096;

const settings = z.object({ token: z.string(), chatId: z.string(), locale: z.enum(locales) });
type Settings = z.infer<typeof settings>;

/** Of `ResponseParameters` of the Bot API, whole seconds. */
const flooded = z.object({ parameters: z.object({ retry_after: z.int().nonnegative() }) });

function findRetryAfter(refusal: string): string | undefined {
  try {
    const { success, data } = flooded.safeParse(JSON.parse(refusal));
    return success ? String(data.parameters.retry_after) : undefined;
  } catch {
    return undefined;
  }
}

/** The text goes without a mode of marks; what is left to a value is to call people by their names. */
function quoteForTelegram(value: string): string {
  return value.replaceAll('@', '@\u200b');
}

/** Messages by a bot of the organization's own: docs/alerts.md. */
export function createTelegramChannel(dependencies: {
  encryptor: Encryptor;
  deliveries: Deliveries;
  publicUrl: string;
  telegramApiUrl: string;
}): AlertChannel<Settings | Unreadable> {
  const { encryptor, deliveries, publicUrl, telegramApiUrl } = dependencies;
  const store = createSettingsRepository(encryptor, name, settings);

  return {
    name,
    load: store.load,

    async save(transaction, { id }, { telegramChatId, telegramToken, telegramLocale }) {
      if (telegramChatId === null) {
        await store.save(transaction, id, null);
        await deliveries.deleteOfRule(transaction, id, name);
        return {};
      }
      const stored = (await store.load(transaction, [id])).get(id);
      const current = stored === 'unreadable' ? undefined : stored;
      const chatId = telegramChatId ?? current?.chatId;
      if (chatId === undefined) return {};
      const token = telegramToken ?? current?.token;
      if (token === undefined) throw new FieldError('telegramToken', 'telegram_token_needed');
      await store.save(transaction, id, { token, chatId, locale: telegramLocale ?? current?.locale ?? 'ru' });
      return {};
    },

    show(current, { lastResult }) {
      if (!current) return { telegram: null };
      if (current === 'unreadable') return { telegram: { chatId: null, locale: 'ru', lastResult } };
      return { telegram: { chatId: current.chatId, locale: current.locale, lastResult } };
    },

    describe: (current) => (current && current !== 'unreadable' ? { telegramChat: current.chatId } : {}),

    render(message, current) {
      // Whoever cannot be reached is told of by the failure of the delivery.
      const locale = current && current !== 'unreadable' ? current.locale : 'ru';
      const { title, lines, link } = writeChatText(message, { locale, publicUrl, quote: quoteForTelegram });
      const end = `\n\n${link.text}: ${link.url}`;
      return [
        { kind: message.kind, content: `${fitLines([title, ...lines], longestMessage - end.length)}${end}` },
      ];
    },

    async send({ content }, stored, signal) {
      // The right secrets.json may come back: it is tried again.
      if (stored === 'unreadable') throw new DeliveryFailure('key_lost' satisfies DeliveryFailureReason);
      const body = JSON.stringify({
        chat_id: stored.chatId,
        text: content,
        link_preview_options: { is_disabled: true },
      });
      const { token, chatId } = stored;
      const url = `${telegramApiUrl}/bot${token}/sendMessage`;
      // The operator has chosen this address, and no user: it may be of the server's own network.
      const network = { allowsPrivate: true };
      // A busy group is no reason to leave the bot's other chats alone; where the whole bot is too busy each of them says so.
      return deliveries.sendTo(`${url} ${chatId}`, () =>
        deliverJson(url, { body, findRetryAfter }, signal, network),
      );
    },

    reportTest: ({ result }) => ({ telegram: result }),
  };
}
