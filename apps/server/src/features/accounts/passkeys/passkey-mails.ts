import type { Text } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../../platform/mail/index.ts';

interface Change {
  at: Date;
  address: string;
  name: string;
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };

const details: readonly Text[] = [
  { ru: 'Ключ: {name}', en: 'Passkey: {name}' },
  { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
  { ru: 'Адрес: {address}', en: 'Address: {address}' },
];

const added: MailTexts = {
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
  action: openSecurity,
};

const deleted: MailTexts = {
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
  action: openSecurity,
};

/** The mails that warn an account's owner of changed passkeys. */
export function createPasskeyMails(write: MailWriter) {
  function warn(texts: MailTexts, user: MailRecipient, { at, ...change }: Change): OutgoingMail {
    return write(texts, user, { values: { ...change, time: formatMailTime(at) }, path: '/security' });
  }

  return {
    added: (user: MailRecipient, change: Change) => warn(added, user, change),
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, change),
  };
}
export type PasskeyMails = ReturnType<typeof createPasskeyMails>;
