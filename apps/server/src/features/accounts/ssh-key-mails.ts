import type { Text } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../platform/mail/index.ts';

interface Change {
  at: Date;
  address: string;
  name: string;
  fingerprint: string;
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };

const details: readonly Text[] = [
  { ru: 'Ключ: {name}', en: 'Key: {name}' },
  { ru: 'Отпечаток: {fingerprint}', en: 'Fingerprint: {fingerprint}' },
  { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
  { ru: 'Адрес: {address}', en: 'Address: {address}' },
];

const added: MailTexts = {
  kind: 'ssh-key-added',
  subject: { ru: 'Добавлен ключ SSH — {service}', en: 'SSH key added – {service}' },
  paragraphs: [
    {
      ru: 'В учётную запись {email} добавлен ключ SSH. С ним можно подключаться к вашим контроллерам по SSH.',
      en: 'An SSH key was added to your account {email}. It opens SSH connections to your controllers.',
    },
    ...details,
    {
      ru: 'Если это были не вы, удалите ключ на странице «Безопасность» и сразу смените пароль.',
      en: 'If this was not you, delete the key on the Security page and change your password at once.',
    },
  ],
  action: openSecurity,
};

const deleted: MailTexts = {
  kind: 'ssh-key-deleted',
  subject: { ru: 'Удалён ключ SSH — {service}', en: 'SSH key deleted – {service}' },
  paragraphs: [
    {
      ru: 'Из учётной записи {email} удалён ключ SSH. Открытые с ним соединения завершены.',
      en: 'An SSH key was deleted from your account {email}. The connections that it had opened were ended.',
    },
    ...details,
    {
      ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
      en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
    },
  ],
  action: openSecurity,
};

/** The mails that warn an account's owner of changed keys for SSH. */
export function createSshKeyMails(write: MailWriter) {
  function warn(texts: MailTexts, user: MailRecipient, { at, ...change }: Change): OutgoingMail {
    return write(texts, user, { values: { ...change, time: formatMailTime(at) }, path: '/security' });
  }

  return {
    added: (user: MailRecipient, change: Change) => warn(added, user, change),
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, change),
  };
}
export type SshKeyMails = ReturnType<typeof createSshKeyMails>;
