import type { Text } from '@pult/contract';
import type { MailRecipient, MailWriter, OutgoingMail } from '../../platform/mail/index.ts';
import {
  addressLine,
  createSecurityWarning,
  type SecurityChange,
  timeLine,
  type WarningTexts,
} from './security-mails.ts';
import { describeUserAgent } from './user-agent.ts';

interface Origin extends SecurityChange {
  userAgent: string;
}

const unknownDevice: Text = { ru: 'неизвестно', en: 'unknown' };

const ifNotYou: Text = {
  ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
  en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
};

const newDevice: WarningTexts = {
  kind: 'new-device',
  subject: { ru: 'Вход с нового устройства — {service}', en: 'Login from a new device – {service}' },
  paragraphs: [
    {
      ru: 'В вашу учётную запись {email} вошли с устройства, с которого раньше не входили.',
      en: 'Somebody logged in to your account {email} from a device that was not used before.',
    },
    timeLine,
    addressLine,
    { ru: 'Устройство: {device}', en: 'Device: {device}' },
    ifNotYou,
  ],
};

const totpEnabled: WarningTexts = {
  kind: 'totp-enabled',
  subject: { ru: 'Второй фактор включён — {service}', en: 'Second factor turned on – {service}' },
  paragraphs: [
    {
      ru: 'Для учётной записи {email} включён второй фактор. Другие сеансы завершены.',
      en: 'The second factor was turned on for your account {email}. Other sessions were ended.',
    },
    timeLine,
    addressLine,
    {
      ru: 'Если это были не вы, обратитесь к администратору: войти без кода вы больше не сможете.',
      en: 'If this was not you, turn to your administrator: you can no longer log in without a code.',
    },
  ],
};

const totpDisabled: WarningTexts = {
  kind: 'totp-disabled',
  subject: { ru: 'Второй фактор выключен — {service}', en: 'Second factor turned off – {service}' },
  paragraphs: [
    {
      ru: 'Для учётной записи {email} выключен второй фактор. Теперь для входа достаточно пароля.',
      en: 'The second factor was turned off for your account {email}. The password alone is enough now.',
    },
    timeLine,
    addressLine,
    ifNotYou,
  ],
};

/** The mails that warn an account's owner of what might have been somebody else. */
export function createLoginMails(write: MailWriter) {
  const writeWarning = createSecurityWarning(write);
  function warn(texts: WarningTexts, user: MailRecipient, { userAgent, ...change }: Origin): OutgoingMail {
    const { browser, system } = describeUserAgent(userAgent);
    const device = [browser, system].filter((name) => name !== null).join(', ') || unknownDevice[user.locale];
    return writeWarning(texts, user, { ...change, device });
  }

  return {
    newDevice: (user: MailRecipient, origin: Origin) => warn(newDevice, user, origin),
    totpEnabled: (user: MailRecipient, origin: Origin) => warn(totpEnabled, user, origin),
    totpDisabled: (user: MailRecipient, origin: Origin) => warn(totpDisabled, user, origin),
  };
}
export type LoginMails = ReturnType<typeof createLoginMails>;
