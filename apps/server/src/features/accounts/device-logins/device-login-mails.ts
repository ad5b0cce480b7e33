import type { Permission, Text } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../../platform/mail/index.ts';

interface LoggedIn {
  at: Date;
  /** Of the program. */
  address: string;
  /** Of whoever has typed its code. */
  approvedFrom: string;
  name: string;
  scopes: readonly Permission[];
  expiresAt: Date;
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };

const loggedIn: MailTexts = {
  kind: 'program-logged-in',
  subject: { ru: 'Вход программы — {service}', en: 'Login of a program – {service}' },
  paragraphs: [
    {
      ru: 'В вашу учётную запись {email} вошла программа: её код ввели в консоли.',
      en: 'A program logged in to your account {email}: its code was entered in the console.',
    },
    { ru: 'Программа: {name}', en: 'Program: {name}' },
    { ru: 'Адрес программы: {address}', en: 'Address of the program: {address}' },
    { ru: 'Код введён с адреса: {approvedFrom}', en: 'Code entered from the address: {approvedFrom}' },
    { ru: 'Разрешения: {scopes}', en: 'Scopes: {scopes}' },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Действует до: {until} UTC', en: 'Good until: {until} UTC' },
    {
      ru: 'Если код вам кто-то прислал или вы ничего не вводили, удалите токен на странице «Безопасность» и сразу смените пароль.',
      en: 'If somebody sent you the code, or you entered none, delete the token on the Security page and change your password at once.',
    },
  ],
  action: openSecurity,
};

/** The mail that tells an account's owner of a program that has logged in by a code. */
export function createDeviceLoginMails(write: MailWriter) {
  return {
    loggedIn(user: MailRecipient, { at, expiresAt, scopes, ...said }: LoggedIn): OutgoingMail {
      const values = {
        ...said,
        scopes: scopes.join(', '),
        time: formatMailTime(at),
        until: formatMailTime(expiresAt),
      };
      return write(loggedIn, user, { values, path: '/security' });
    },
  };
}
export type DeviceLoginMails = ReturnType<typeof createDeviceLoginMails>;
