import type { Permission } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailWriter,
  type OutgoingMail,
} from '../../../platform/mail/index.ts';
import {
  createSecurityWarning,
  type SecurityChange,
  timeLine,
  type WarningTexts,
} from '../security-mails.ts';

interface LoggedIn extends SecurityChange {
  /** Of whoever has typed its code. */
  approvedFrom: string;
  name: string;
  scopes: readonly Permission[];
  expiresAt: Date;
}

const loggedIn: WarningTexts = {
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
    timeLine,
    { ru: 'Действует до: {until} UTC', en: 'Good until: {until} UTC' },
    {
      ru: 'Если код вам кто-то прислал или вы ничего не вводили, удалите токен на странице «Безопасность» и сразу смените пароль.',
      en: 'If somebody sent you the code, or you entered none, delete the token on the Security page and change your password at once.',
    },
  ],
};

/** The mail that tells an account's owner of a program that has logged in by a code. */
export function createDeviceLoginMails(write: MailWriter) {
  const warn = createSecurityWarning(write);
  return {
    loggedIn(user: MailRecipient, { expiresAt, scopes, ...change }: LoggedIn): OutgoingMail {
      const until = formatMailTime(expiresAt);
      return warn(loggedIn, user, { ...change, scopes: scopes.join(', '), until });
    },
  };
}
export type DeviceLoginMails = ReturnType<typeof createDeviceLoginMails>;
