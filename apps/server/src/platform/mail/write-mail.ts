import { formatText, type Locale, type Text } from '@pult/contract';
import type { OutgoingMail } from './mail.ts';
import type { Sender } from './render-mail.ts';

/** What one kind of mail says, in all languages. `{service}` and `{email}` stand in them for everybody's use. */
export interface MailTexts {
  /** For the administrator's list: `invite`, `password-reset`. */
  kind: string;
  subject: Text;
  paragraphs: readonly Text[];
  /** The label of the one thing to do. */
  action: Text;
}

export interface MailRecipient {
  email: string;
  locale: Locale;
}

interface MailValues {
  /** For the placeholders of the texts. */
  values?: Record<string, string | number>;
  /** Paragraphs that are no texts of ours, after these. */
  details?: readonly string[];
  /** Where the action leads, from PUBLIC_URL on. */
  path: string;
  link?: OutgoingMail['link'];
}

/** Writes a mail to one recipient in their language. Its links are made from PUBLIC_URL alone. */
export type MailWriter = (texts: MailTexts, recipient: MailRecipient, mail: MailValues) => OutgoingMail;

export function createMailWriter({ serviceName, publicUrl }: Sender): MailWriter {
  return ({ kind, subject, paragraphs, action }, { email, locale }, { values, details = [], path, link }) => {
    const format = (text: Text) => formatText(text, locale, { service: serviceName, email, ...values });
    return {
      to: email,
      locale,
      kind,
      content: {
        subject: format(subject),
        paragraphs: [...paragraphs.map(format), ...details],
        action: { label: format(action), url: `${publicUrl}${path}` },
      },
      ...(link ? { link } : {}),
    };
  };
}

/** A time as mails say it, in UTC and to the minute: `2026-11-21 12:40`. */
export function formatMailTime(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}
