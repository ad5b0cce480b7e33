import type { Permission, Text } from '@pult/contract';
import { formatMailTime, type MailRecipient, type MailWriter } from '../../../platform/mail/index.ts';
import {
  addressLine,
  createSecurityWarning,
  type SecurityChange,
  timeLine,
  type WarningTexts,
} from '../security-mails.ts';

interface Change extends SecurityChange {
  name: string;
}

const nameLine: Text = { ru: 'Токен: {name}', en: 'Token: {name}' };

const created: WarningTexts = {
  kind: 'token-created',
  subject: { ru: 'Создан токен — {service}', en: 'Token created – {service}' },
  paragraphs: [
    {
      ru: 'В учётной записи {email} создан токен. С ним программа действует от вашего имени.',
      en: 'A token was created in your account {email}. A program can act for you with it.',
    },
    nameLine,
    { ru: 'Разрешения: {scopes}', en: 'Scopes: {scopes}' },
    { ru: 'Действует до: {until}', en: 'Good until: {until}' },
    timeLine,
    addressLine,
    {
      ru: 'Если это были не вы, удалите токен на странице «Безопасность» и сразу смените пароль.',
      en: 'If this was not you, delete the token on the Security page and change your password at once.',
    },
  ],
};

const deleted: WarningTexts = {
  kind: 'token-deleted',
  subject: { ru: 'Удалён токен — {service}', en: 'Token deleted – {service}' },
  paragraphs: [
    {
      ru: 'Из учётной записи {email} удалён токен. Открытое с ним завершено.',
      en: 'A token was deleted from your account {email}. Whatever it had opened was ended.',
    },
    nameLine,
    timeLine,
    addressLine,
    {
      ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
      en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
    },
  ],
};

const noEnd: Text = { ru: 'бессрочно', en: 'no end' };

/** The mails that warn an account's owner of changed tokens. */
export function createTokenMails(write: MailWriter) {
  const warn = createSecurityWarning(write);

  return {
    created(
      user: MailRecipient,
      {
        scopes,
        expiresAt,
        ...change
      }: Change & { scopes: readonly Permission[]; expiresAt: Date | undefined },
    ) {
      const until = expiresAt ? `${formatMailTime(expiresAt)} UTC` : noEnd[user.locale];
      return warn(created, user, { ...change, scopes: scopes.join(', '), until });
    },
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, { ...change }),
  };
}
export type TokenMails = ReturnType<typeof createTokenMails>;
