import type { Text } from '@pult/contract';
import type { MailRecipient, MailWriter } from '../../platform/mail/index.ts';
import {
  addressLine,
  createSecurityWarning,
  type SecurityChange,
  timeLine,
  type WarningTexts,
} from './security-mails.ts';

interface Change extends SecurityChange {
  name: string;
  fingerprint: string;
}

const details: readonly Text[] = [
  { ru: 'Ключ: {name}', en: 'Key: {name}' },
  { ru: 'Отпечаток: {fingerprint}', en: 'Fingerprint: {fingerprint}' },
  timeLine,
  addressLine,
];

const added: WarningTexts = {
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
};

const deleted: WarningTexts = {
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
};

/** The mails that warn an account's owner of changed keys for SSH. */
export function createSshKeyMails(write: MailWriter) {
  const warn = createSecurityWarning(write);

  return {
    added: (user: MailRecipient, change: Change) => warn(added, user, { ...change }),
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, { ...change }),
  };
}
export type SshKeyMails = ReturnType<typeof createSshKeyMails>;
