import type { DatabaseTransaction } from '../db/schema.ts';
import type { Deliveries } from '../delivery/index.ts';
import type { OutgoingMail } from './mail.ts';

/** The delivery channel of mails. */
export const mailChannel = 'mail';

/** Where features leave their mails. Nothing is sent here: a mail of a transaction that fails never was. */
export interface Outbox {
  /** False: no SMTP server is set, the mails stay here and the administrator reads them. */
  readonly isDelivering: boolean;
  add(mail: OutgoingMail, transaction: DatabaseTransaction): Promise<void>;
  /** The link with this id is dead: the bodies that carry it go, sent or not. */
  purge(linkId: string, transaction: DatabaseTransaction): Promise<void>;
}

export function createOutbox(deliveries: Deliveries, isDelivering: boolean): Outbox {
  return {
    isDelivering,
    add: ({ to, ...mail }, transaction) =>
      deliveries.add(transaction, { channel: mailChannel, recipient: to, ...mail }),
    purge: deliveries.purge,
  };
}
