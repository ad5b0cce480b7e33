import { z } from 'zod';
import { locales } from '../../locale.ts';
import { deliveryResult } from './delivery-result.ts';

/** As @BotFather gives it: the bot's number and its secret. */
const token = z
  .string()
  .trim()
  .refine((value) => /^\d{1,20}:[\w-]{20,100}$/.test(value), 'telegram_token');

/** Of a person, a group (negative), or a public channel by its name. */
const chatId = z
  .string()
  .trim()
  .refine((value) => /^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(value), 'telegram_chat');

/** Messages to a chat of Telegram by a bot of the organization's own. */
export const telegramFields = {
  rule: {
    telegram: z
      .object({
        /** Null: it cannot be read any more, and is to be entered anew with its token. */
        chatId: z.string().nullable(),
        locale: z.enum(locales),
        lastResult: deliveryResult.nullable(),
      })
      .nullable(),
  },
  create: {
    /** Null: none. */
    telegramChatId: chatId.nullable().default(null),
    /** Of the bot; needed with a chat. It is never shown again. */
    telegramToken: token.optional(),
    /** Of its messages. */
    telegramLocale: z.enum(locales).default('ru'),
  },
  update: {
    /** Null: none. */
    telegramChatId: chatId.nullable().optional(),
    /** Another one than before. */
    telegramToken: token.optional(),
    telegramLocale: z.enum(locales).optional(),
  },
  saved: {},
  tested: { telegram: deliveryResult.nullable() },
};
