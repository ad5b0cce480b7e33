import type { Clock } from '../clock.ts';
import type { DatabaseTransaction } from '../db/schema.ts';
import type { Encryptor } from '../encryptor.ts';
import { createId } from '../ids.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import type { MailContent, OutgoingMail } from './mail.ts';
import type { MailsRepository } from './mails.repository.ts';

/** Where features leave their mails. Nothing is sent here: a mail of a transaction that fails never was. */
export interface Outbox {
  /** False: no SMTP server is set, the mails stay here and the administrator reads them. */
  readonly isDelivering: boolean;
  add(mail: OutgoingMail, transaction: DatabaseTransaction): Promise<void>;
  /** The link with this id is dead: the bodies that carry it go, sent or not. */
  purge(linkId: string, transaction: DatabaseTransaction): Promise<void>;
}

/** The queue's name of sending one mail. */
export const sendMailJob = 'send-mail';

/** Puts a mail into the queue of those to be sent, in which it is once, in `delay` seconds from now. */
export function enqueueMail(transaction: DatabaseTransaction, id: string, delay: number): Promise<void> {
  return enqueueJob(transaction, { ...jobOf(id), delay });
}

/** Sees to it that a mail is in the queue; one that waits there for its next try goes on waiting. */
export function keepMailQueued(transaction: DatabaseTransaction, id: string): Promise<void> {
  return enqueueJob(transaction, { ...jobOf(id), delay: 0, keepsTime: true });
}

const jobOf = (id: string) => ({ name: sendMailJob, key: `mail ${id}`, payload: { id } });

/** What a mail's body is encrypted for. */
function mailContext(id: string): string {
  return `mail ${id}`;
}

/** The body as it was before it was encrypted. Throws when the key is another one. */
export function decryptContent(encryptor: Encryptor, mail: { id: string; content: Buffer }): MailContent {
  // Only the outbox encrypts for this context.
  return JSON.parse(encryptor.decrypt(mail.content, mailContext(mail.id))) as MailContent;
}

export function createOutbox(options: {
  repository: MailsRepository;
  encryptor: Encryptor;
  clock: Clock;
  isDelivering: boolean;
}): Outbox {
  const { repository, encryptor, clock, isDelivering } = options;
  return {
    isDelivering,

    async add({ to, locale, kind, content, link }, transaction) {
      const id = createId();
      await repository.addMail(transaction, {
        id,
        kind,
        recipient: to,
        locale,
        content: encryptor.encrypt(JSON.stringify(content), mailContext(id)),
        link,
        createdAt: clock.now(),
      });
      if (isDelivering) await enqueueMail(transaction, id, 0);
    },

    purge: (linkId, transaction) => repository.purgeOfLink(transaction, linkId),
  };
}
