import { formatText, type Locale, type Text } from '@pult/contract';
import type { MailContent, OutgoingMail } from '../../platform/mail/index.ts';

interface Recipient {
  email: string;
  locale: Locale;
}

interface Change {
  at: Date;
  address: string;
  name: string;
  fingerprint: string;
}

interface Texts {
  subject: Text;
  paragraphs: readonly Text[];
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };

const details: readonly Text[] = [
  { ru: 'Ключ: {name}', en: 'Key: {name}' },
  { ru: 'Отпечаток: {fingerprint}', en: 'Fingerprint: {fingerprint}' },
  { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
  { ru: 'Адрес: {address}', en: 'Address: {address}' },
];

const added: Texts = {
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

const deleted: Texts = {
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

/** The mails that tell an account's owner of keys for SSH. */
export function createSshKeyMails({ publicUrl, serviceName }: { publicUrl: string; serviceName: string }) {
  function write(kind: string, texts: Texts, { email, locale }: Recipient, change: Change): OutgoingMail {
    const time = change.at.toISOString().slice(0, 16).replace('T', ' ');
    const { name, fingerprint, address } = change;
    const values = { service: serviceName, email, name, fingerprint, address, time };
    const content: MailContent = {
      subject: formatText(texts.subject, locale, values),
      paragraphs: texts.paragraphs.map((paragraph) => formatText(paragraph, locale, values)),
      action: { label: openSecurity[locale], url: `${publicUrl}/security` },
    };
    return { to: email, locale, kind, content };
  }

  return {
    added: (user: Recipient, change: Change) => write('ssh-key-added', added, user, change),
    deleted: (user: Recipient, change: Change) => write('ssh-key-deleted', deleted, user, change),
  };
}
export type SshKeyMails = ReturnType<typeof createSshKeyMails>;
