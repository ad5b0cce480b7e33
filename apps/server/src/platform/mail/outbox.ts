import type { DatabaseTransaction } from '../db/schema.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { MailKind } from './catalogue.ts';
import type { OutgoingMail } from './mail.ts';
import type { MailRecipient, MailValues, MailWriter } from './write-mail.ts';

/** The delivery channel of mails. */
export const mailChannel = 'mail';

/** By which features send their mails. They leave after the transaction: a mail of one that fails never was. */
export interface Mail {
  /** False: no SMTP server is set, mails are stored and the administrator reads them. */
  readonly isDelivering: boolean;
  /** What a mail of this kind says stands in the catalogue. */
  send<Kind extends MailKind>(
    kind: Kind,
    user: MailRecipient,
    values: MailValues<Kind>,
    transaction: DatabaseTransaction,
  ): Promise<void>;
  /** For those that send it by the queue themselves. */
  write: MailWriter;
  /** The link with this id is dead: the bodies that carry it go, sent or not. */
  purge(linkId: string, transaction: DatabaseTransaction): Promise<void>;
}

/** Where mails wait for the mail server. */
export interface Outbox {
  add(mail: OutgoingMail, transaction: DatabaseTransaction): Promise<void>;
  purge: Mail['purge'];
}

export function createOutbox(deliveries: Deliveries): Outbox {
  return {
    add: ({ to, ...mail }, transaction) =>
      deliveries.add(transaction, { channel: mailChannel, recipient: to, ...mail }),
    purge: deliveries.purge,
  };
}

export function createMail(
  outbox: Outbox,
  { write, isDelivering }: Pick<Mail, 'write' | 'isDelivering'>,
): Mail {
  return {
    isDelivering,
    write,
    send: (kind, user, values, transaction) => outbox.add(write(kind, user, values), transaction),
    purge: outbox.purge,
  };
}
