import type { Text } from '@pult/contract';
import type { MailRecipient, MailWriter } from '../../platform/mail/index.ts';
import {
  addressLine,
  createSecurityWarning,
  type SecurityChange,
  timeLine,
  type WarningTexts,
} from '../accounts/index.ts';

interface Change extends SecurityChange {
  /** Of the provider, as people know it. */
  name: string;
}

const details: readonly Text[] = [{ ru: 'Провайдер: {name}', en: 'Provider: {name}' }, timeLine, addressLine];

const linked: WarningTexts = {
  kind: 'identity-linked',
  subject: {
    ru: 'Привязан вход через провайдера — {service}',
    en: 'Sign-in by a provider linked – {service}',
  },
  paragraphs: [
    {
      ru: 'К учётной записи {email} привязан вход через провайдера. Через него можно войти без пароля.',
      en: 'A sign-in by a provider was linked to your account {email}. It logs in without the password.',
    },
    ...details,
    {
      ru: 'Если это были не вы, удалите его на странице «Безопасность» и сразу смените пароль: новый пароль его не отвяжет.',
      en: 'If this was not you, delete it on the Security page and change your password at once: a new password does not unlink it.',
    },
  ],
};

const deleted: WarningTexts = {
  kind: 'identity-deleted',
  subject: {
    ru: 'Удалён вход через провайдера — {service}',
    en: 'Sign-in by a provider deleted – {service}',
  },
  paragraphs: [
    {
      ru: 'У учётной записи {email} удалён вход через провайдера. Войти через него больше нельзя.',
      en: 'A sign-in by a provider was deleted from your account {email}. It logs in no more.',
    },
    ...details,
    {
      ru: 'Если это были не вы, сразу смените пароль и завершите чужие сеансы на странице «Безопасность».',
      en: 'If this was not you, change your password at once and end the other sessions on the Security page.',
    },
  ],
};

/** The mails that warn an account's owner of sign-ins by providers that come and go. */
export function createIdentityMails(write: MailWriter) {
  const warn = createSecurityWarning(write);

  return {
    linked: (user: MailRecipient, change: Change) => warn(linked, user, { ...change }),
    deleted: (user: MailRecipient, change: Change) => warn(deleted, user, { ...change }),
  };
}
export type IdentityMails = ReturnType<typeof createIdentityMails>;
