import type { Text } from '@pult/contract';
import type { MailRecipient, MailWriter } from '../../../platform/mail/index.ts';
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

const details: readonly Text[] = [{ ru: 'Ключ: {name}', en: 'Passkey: {name}' }, timeLine, addressLine];

const added: WarningTexts = {
  kind: 'passkey-added',
  subject: { ru: 'Добавлен ключ доступа — {service}', en: 'Passkey added – {service}' },
  paragraphs: [
    {
      ru: 'В учётную запись {email} добавлен ключ доступа. С ним можно войти и подтверждать действия.',
      en: 'A passkey was added to your account {email}. It logs in, and confirms what is done.',
    },
    ...details,
    {
      ru: 'Если это были не вы, удалите ключ на странице «Безопасность» и сразу смените пароль.',
      en: 'If this was not you, delete the passkey on the Security page and change your password at once.',
    },
  ],
};

const deleted: WarningTexts = {
  kind: 'passkey-deleted',
  subject: { ru: 'Удалён ключ доступа — {service}', en: 'Passkey deleted – {service}' },
  paragraphs: [
    {
      ru: 'Из учётной записи {email} удалён ключ доступа. Войти с ним больше нельзя.',
      en: 'A passkey was deleted from your account {email}. It logs in no more.',
    },
    ...details,
    {
      ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
      en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
    },
  ],
};

/** The mails that warn an account's owner of changed passkeys. */
export function createPasskeyMails(write: MailWriter) {
  const warn = createSecurityWarning(write);

  return {
    added: (user: MailRecipient, change: Change) => warn(added, user, { ...change }),
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, { ...change }),
  };
}
export type PasskeyMails = ReturnType<typeof createPasskeyMails>;
