import type { Locale } from '@pult/contract';

/** What a mail says. Plain texts: whoever renders it makes HTML of them, so nothing in them is ever markup. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do; `url` is made from PUBLIC_URL, never from a request. */
  action?: { label: string; url: string };
}

export interface OutgoingMail {
  to: string;
  locale: Locale;
  /** Which of the product's mails it is, for the administrator's list: `invite`, `password-reset`. */
  kind: string;
  content: MailContent;
  /** The thing whose secret the mail carries: once it is used, replaced or over, the body goes. */
  link?: { id: string; expiresAt: Date };
}
