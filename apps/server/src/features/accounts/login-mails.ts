import { formatText, type Locale, type Text } from '@pult/contract';
import type { MailContent, OutgoingMail } from '../../platform/mail/index.ts';
import { describeUserAgent } from './user-agent.ts';

interface Recipient {
  email: string;
  locale: Locale;
}

interface Origin {
  at: Date;
  address: string;
  userAgent: string;
}

interface Texts {
  subject: Text;
  paragraphs: readonly Text[];
}

const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };
const unknownDevice: Text = { ru: 'неизвестно', en: 'unknown' };

const ifNotYou: Text = {
  ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
  en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
};

const newDevice: Texts = {
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
};

const totpEnabled: Texts = {
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
};

const totpDisabled: Texts = {
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
};

/** The mails that tell an account's owner of what might have been somebody else. */
export function createLoginMails({ publicUrl, serviceName }: { publicUrl: string; serviceName: string }) {
  function write(kind: string, texts: Texts, recipient: Recipient, origin: Origin): OutgoingMail {
    const { email, locale } = recipient;
    const { browser, system } = describeUserAgent(origin.userAgent);
    const values = {
      service: serviceName,
      email,
      time: origin.at.toISOString().slice(0, 16).replace('T', ' '),
      address: origin.address,
      device: [browser, system].filter((name) => name !== null).join(', ') || unknownDevice[locale],
    };
    const content: MailContent = {
      subject: formatText(texts.subject, locale, values),
      paragraphs: texts.paragraphs.map((paragraph) => formatText(paragraph, locale, values)),
      action: { label: openSecurity[locale], url: `${publicUrl}/security` },
    };
    return { to: email, locale, kind, content };
  }

  return {
    newDevice: (user: Recipient, origin: Origin) => write('new-device', newDevice, user, origin),
    totpEnabled: (user: Recipient, origin: Origin) => write('totp-enabled', totpEnabled, user, origin),
    totpDisabled: (user: Recipient, origin: Origin) => write('totp-disabled', totpDisabled, user, origin),
  };
}
export type LoginMails = ReturnType<typeof createLoginMails>;
