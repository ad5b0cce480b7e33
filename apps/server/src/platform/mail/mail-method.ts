import { defaultLocale, isEmail } from '@pult/contract';
import { DeliveryFailure, type DeliveryMethod } from '../delivery/index.ts';
import type { MailContent } from './mail.ts';
import { type MailServer, sendLimit } from './mail-server.ts';
import { mailChannel } from './outbox.ts';
import { renderMail, type Sender } from './render-mail.ts';

/** Tries of one mail: the last is about a day after the first. */
const maxAttempts = 17;

/**
 * Sends mails. One is sent after the server has taken it: should this process die in between, it is sent once more
 * under the same Message-ID, by which mailboxes know the copy.
 */
export function createMailMethod(options: {
  server: MailServer;
  sender: Sender;
  /** MAIL_FROM. */
  from: string;
}): DeliveryMethod {
  const { server, sender, from } = options;
  const domain = /@([^@<>\s]+?)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    channel: mailChannel,
    maxAttempts,
    claimSeconds: (2 * sendLimit) / 1000,
    async send({ id, recipient, locale, content }, signal) {
      if (recipient === null || !isEmail(recipient))
        throw new DeliveryFailure('not an email address', { isFinal: true });
      const language = locale ?? defaultLocale;
      // Only the outbox adds mails.
      const { subject, text, html } = renderMail(content as MailContent, language, sender);
      const messageId = `<${id}@${domain}>`;
      await server.send({ messageId, to: recipient, subject, text, html, locale: language }, signal);
      return null;
    },
  };
}
