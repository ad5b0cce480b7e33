import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/schema.ts';
import type { Encryptor } from '../encryptor.ts';
import type { Logger } from '../log.ts';
import { MailFailure, type MailServer, sendLimit } from './mail-server.ts';
import type { ClaimedMail, MailsRepository } from './mails.repository.ts';
import { decryptContent, enqueueMail } from './outbox.ts';
import { renderMail, type Sender } from './render-mail.ts';

/** Tries of one mail: the last is about a day after the first. */
const maxAttempts = 17;

/** Seconds: longer than any send takes. A delivery that was killed lets its mail go by then. */
const claimSeconds = (2 * sendLimit) / 1000;

/** Seconds until the next try: half a minute at first, two hours at last (greylisting asks for 1 to 15 minutes). */
export function retryDelay(attempts: number): number {
  return Math.min(30 * 3 ** (attempts - 1), 2 * 3600);
}

interface Dependencies {
  db: Database;
  repository: MailsRepository;
  encryptor: Encryptor;
  clock: Clock;
  log: Logger;
  server: MailServer;
  sender: Sender;
  /** MAIL_FROM. */
  from: string;
}

/**
 * Sends the mails that wait. A mail is `sent` after the server has taken it: should this process die in between,
 * it is sent once more under the same Message-ID, by which mailboxes know the copy.
 */
export function createDelivery(dependencies: Dependencies) {
  const { db, repository, encryptor, clock, log, server, sender, from } = dependencies;
  const domain = /@([^@<>\s]+?)>?$/.exec(from)?.[1] ?? 'localhost';

  function read(id: string, content: Buffer) {
    try {
      return decryptContent(encryptor, { id, content });
    } catch (error) {
      // The right secrets.json may come back.
      throw new MailFailure('its text was encrypted with another key', false, error);
    }
  }

  async function send(mail: ClaimedMail, signal: AbortSignal): Promise<void> {
    if (mail.content === null) throw new MailFailure('its link ended before it could be sent', true);
    if (!z.email().safeParse(mail.recipient).success) throw new MailFailure('not an email address', true);
    const content = read(mail.id, mail.content);
    const { subject, text, html } = renderMail(content, mail.locale, sender);
    const messageId = `<${mail.id}@${domain}>`;
    await server.send({ messageId, to: mail.recipient, subject, text, html, locale: mail.locale }, signal);
  }

  return {
    /** Tries one mail; what fails for now is put back into the queue. */
    async deliver(id: string, signal: AbortSignal): Promise<void> {
      const now = clock.now();
      const claimedUntil = new Date(now.getTime() + claimSeconds * 1000);
      const mail = await repository.claim(id, now, claimedUntil);
      if (!mail) {
        // Another delivery has it, or had it when its server was killed: looked at again when its time is over.
        const isTaken = (await repository.getClaimEnd(id)) !== undefined;
        if (isTaken)
          await db.transaction().execute((transaction) => enqueueMail(transaction, id, claimSeconds));
        return;
      }
      try {
        await send(mail, signal);
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        const isFinal = error.isFinal || mail.attempts >= maxAttempts;
        log.warn({ mail: id, reason: error.reason, isFinal }, 'mail not sent');
        await db.transaction().execute(async (transaction) => {
          await repository.markFailed(transaction, id, { error: error.reason, isFinal });
          if (!isFinal) await enqueueMail(transaction, id, retryDelay(mail.attempts));
        });
        return;
      }
      await repository.markSent(id, clock.now());
    },
  };
}
