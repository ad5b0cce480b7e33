import { formatText, type Locale, type Text } from '@pult/contract';
import type { MailContent, OutgoingMail } from '../../platform/mail/index.ts';

interface Recipient {
  email: string;
  locale: Locale;
}

/** A link that works once. */
interface SecretLink {
  id: string;
  path: string;
  expiresAt: Date;
}

interface Texts {
  subject: Text;
  paragraphs: readonly Text[];
  action: Text;
}

const passwordReset: Texts = {
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

const passwordChanged: Texts = {
  subject: { ru: 'Пароль изменён — {service}', en: 'Password changed – {service}' },
  paragraphs: [
    {
      ru: 'Пароль учётной записи {email} изменён. Другие сеансы завершены.',
      en: 'The password of the account {email} was changed. Other sessions were ended.',
    },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Адрес: {address}', en: 'Address: {address}' },
    {
      ru: 'Если это были не вы, задайте новый пароль по ссылке и сообщите администратору.',
      en: 'If this was not you, set a new password by the link and tell your administrator.',
    },
  ],
  action: { ru: 'Это был не я', en: 'This was not me' },
};

const signUp: Texts = {
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

const alreadySignedUp: Texts = {
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

/** The mails about having an account and its password. Their links are made from PUBLIC_URL alone. */
export function createAccountMails({ publicUrl, serviceName }: { publicUrl: string; serviceName: string }) {
  function write(
    kind: string,
    texts: Texts,
    { email, locale }: Recipient,
    { address, at, path }: { address: string; at?: Date; path: string },
  ): OutgoingMail {
    const time = at?.toISOString().slice(0, 16).replace('T', ' ') ?? '';
    const values = { service: serviceName, email, address, time };
    const content: MailContent = {
      subject: formatText(texts.subject, locale, values),
      paragraphs: texts.paragraphs.map((paragraph) => formatText(paragraph, locale, values)),
      action: { label: texts.action[locale], url: `${publicUrl}${path}` },
    };
    return { to: email, locale, kind, content };
  }

  return {
    passwordReset: (user: Recipient, address: string, link: SecretLink): OutgoingMail => ({
      ...write('password-reset', passwordReset, user, { address, path: link.path }),
      link,
    }),
    passwordChanged: (user: Recipient, origin: { address: string; at: Date }): OutgoingMail =>
      write('password-changed', passwordChanged, user, { ...origin, path: '/password-reset/' }),
    signUp: (newcomer: Recipient, address: string, link: SecretLink): OutgoingMail => ({
      ...write('sign-up', signUp, newcomer, { address, path: link.path }),
      link,
    }),
    alreadySignedUp: (user: Recipient, address: string): OutgoingMail =>
      write('sign-up-known', alreadySignedUp, user, { address, path: '/login' }),
  };
}
export type AccountMails = ReturnType<typeof createAccountMails>;
