import type { Text } from '@pult/contract';
import {
  formatMailTime,
  type MailRecipient,
  type MailTexts,
  type MailWriter,
  type OutgoingMail,
} from '../../platform/mail/index.ts';

/** What of an account has changed, and from where. */
export interface SecurityChange {
  at: Date;
  address: string;
}

export const timeLine: Text = { ru: 'Время: {time} UTC', en: 'Time: {time} UTC' };
export const addressLine: Text = { ru: 'Адрес: {address}', en: 'Address: {address}' };
const openSecurity: Text = { ru: 'Открыть настройки безопасности', en: 'Open the security settings' };

export type WarningTexts = Omit<MailTexts, 'action'>;

/** A mail that warns an account's owner of a change that might be somebody else's; it leads to the page Security. */
export function createSecurityWarning(write: MailWriter) {
  return (
    texts: WarningTexts,
    user: MailRecipient,
    { at, ...values }: SecurityChange & Record<string, string | Date>,
  ): OutgoingMail =>
    write({ ...texts, action: openSecurity }, user, {
      values: { ...values, time: formatMailTime(at) },
      path: '/security',
    });
}
