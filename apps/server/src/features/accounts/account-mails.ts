import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../platform/mail/index.ts';
import { addressLine, timeLine } from './security-mails.ts';

/** A link that works once. */
interface SecretLink {
  id: string;
  path: string;
  expiresAt: Date;
}

const passwordReset: MailTexts = {
  kind: 'password-reset',
  subject: { ru: 'Смена пароля — {service}', en: 'Set a new password – {service}' },
  paragraphs: [
    {
      ru: 'Кто-то попросил сменить пароль учётной записи {email} (адрес {address}).',
      en: 'Somebody asked to set a new password for the account {email} (address {address}).',
    },
    {
      ru: 'Ссылка действует один час и один раз. Если это были не вы, ничего не делайте: пароль останется прежним.',
      en: 'The link works for one hour and once. If this was not you, do nothing: the password stays as it is.',
    },
  ],
  action: { ru: 'Задать новый пароль', en: 'Set a new password' },
};

const passwordChanged: MailTexts = {
  kind: 'password-changed',
  subject: { ru: 'Пароль изменён — {service}', en: 'Password changed – {service}' },
  paragraphs: [
    {
      ru: 'Пароль учётной записи {email} изменён. Другие сеансы завершены.',
      en: 'The password of the account {email} was changed. Other sessions were ended.',
    },
    timeLine,
    addressLine,
    {
      ru: 'Если это были не вы, задайте новый пароль по ссылке и сообщите администратору.',
      en: 'If this was not you, set a new password by the link and tell your administrator.',
    },
  ],
  action: { ru: 'Это был не я', en: 'This was not me' },
};

const signUp: MailTexts = {
  kind: 'sign-up',
  subject: { ru: 'Подтвердите почту — {service}', en: 'Confirm your email – {service}' },
  paragraphs: [
    {
      ru: 'Кто-то зарегистрировался с почтой {email} (адрес {address}). Чтобы подтвердить, понадобится пароль, введённый при регистрации.',
      en: 'Somebody signed up with the email {email} (address {address}). To confirm it takes the password typed there.',
    },
    {
      ru: 'Ссылка действует сутки. Если регистрировались не вы, ничего не делайте: без неё учётной записи не будет.',
      en: 'The link works for a day. If it was not you who signed up, do nothing: without it there is no account.',
    },
  ],
  action: { ru: 'Подтвердить почту', en: 'Confirm the email' },
};

const alreadySignedUp: MailTexts = {
  kind: 'sign-up-known',
  subject: { ru: 'У вас уже есть учётная запись — {service}', en: 'You have an account already – {service}' },
  paragraphs: [
    {
      ru: 'Кто-то попробовал зарегистрироваться с почтой {email} (адрес {address}), но учётная запись с ней уже есть.',
      en: 'Somebody tried to sign up with the email {email} (address {address}), which has an account already.',
    },
    {
      ru: 'Войдите с прежним паролем. Если вы его забыли, задайте новый на странице входа. Если это были не вы, ничего не делайте.',
      en: 'Log in with its password. If you forgot it, set a new one from the login page. If this was not you, do nothing.',
    },
  ],
  action: { ru: 'Войти', en: 'Log in' },
};

/** The mails about having an account and its password. `address` is where the request came from. */
export function createAccountMails(write: MailWriter) {
  return {
    passwordReset: (user: MailRecipient, address: string, link: SecretLink): OutgoingMail =>
      write(passwordReset, user, { values: { address }, path: link.path, link }),
    passwordChanged: (user: MailRecipient, { address, at }: { address: string; at: Date }): OutgoingMail =>
      write(passwordChanged, user, {
        values: { address, time: formatMailTime(at) },
        path: '/password-reset/',
      }),
    signUp: (newcomer: MailRecipient, address: string, link: SecretLink): OutgoingMail =>
      write(signUp, newcomer, { values: { address }, path: link.path, link }),
    alreadySignedUp: (user: MailRecipient, address: string): OutgoingMail =>
      write(alreadySignedUp, user, { values: { address }, path: '/login' }),
  };
}
export type AccountMails = ReturnType<typeof createAccountMails>;
