import type { Text } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../platform/mail/index.ts';
import { describeUserAgent } from './user-agent.ts';

interface Origin {
  at: Date;
  address: string;
  userAgent: string;
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };
const unknownDevice: Text = { ru: 'неизвестно', en: 'unknown' };

const ifNotYou: Text = {
  ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
  en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
};

const newDevice: MailTexts = {
  kind: 'new-device',
  subject: { ru: 'Вход с нового устройства — {service}', en: 'Login from a new device – {service}' },
  paragraphs: [
    {
      ru: 'В вашу учётную запись {email} вошли с устройства, с которого раньше не входили.',
      en: 'Somebody logged in to your account {email} from a device that was not used before.',
    },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Адрес: {address}', en: 'Address: {address}' },
    { ru: 'Устройство: {device}', en: 'Device: {device}' },
    ifNotYou,
  ],
  action: openSecurity,
};

const totpEnabled: MailTexts = {
  kind: 'totp-enabled',
  subject: { ru: 'Второй фактор включён — {service}', en: 'Second factor turned on – {service}' },
  paragraphs: [
    {
      ru: 'Для учётной записи {email} включён второй фактор. Другие сеансы завершены.',
      en: 'The second factor was turned on for your account {email}. Other sessions were ended.',
    },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Адрес: {address}', en: 'Address: {address}' },
    {
      ru: 'Если это были не вы, обратитесь к администратору: войти без кода вы больше не сможете.',
      en: 'If this was not you, turn to your administrator: you can no longer log in without a code.',
    },
  ],
  action: openSecurity,
};

const totpDisabled: MailTexts = {
  kind: 'totp-disabled',
  subject: { ru: 'Второй фактор выключен — {service}', en: 'Second factor turned off – {service}' },
  paragraphs: [
    {
      ru: 'Для учётной записи {email} выключен второй фактор. Теперь для входа достаточно пароля.',
      en: 'The second factor was turned off for your account {email}. The password alone is enough now.',
    },
    { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' },
    { ru: 'Адрес: {address}', en: 'Address: {address}' },
    ifNotYou,
  ],
  action: openSecurity,
};

/** The mails that warn an account's owner of what might have been somebody else. */
export function createLoginMails(write: MailWriter) {
  function warn(texts: MailTexts, user: MailRecipient, { at, address, userAgent }: Origin): OutgoingMail {
    const { browser, system } = describeUserAgent(userAgent);
    const device = [browser, system].filter((name) => name !== null).join(', ') || unknownDevice[user.locale];
    return write(texts, user, { values: { time: formatMailTime(at), address, device }, path: '/security' });
  }

  return {
    newDevice: (user: MailRecipient, origin: Origin) => warn(newDevice, user, origin),
    totpEnabled: (user: MailRecipient, origin: Origin) => warn(totpEnabled, user, origin),
    totpDisabled: (user: MailRecipient, origin: Origin) => warn(totpDisabled, user, origin),
  };
}
export type LoginMails = ReturnType<typeof createLoginMails>;
