import type { Clock } from '../clock.ts';
import type { DatabaseTransaction } from '../db/schema.ts';
import { createId } from '../ids.ts';
import type { Sealer } from '../sealed.ts';
import type { OutgoingMail } from './mail.ts';

/** Where features leave their mails. Nothing is sent here: a mail of a transaction that fails never was. */
export interface Outbox {
  /** False: no SMTP server is set, the mails stay here and the administrator reads them. */
  readonly isDelivering: boolean;
  add(mail: OutgoingMail, transaction: DatabaseTransaction): Promise<void>;
  /** The link with this id is dead: the bodies that carry it go, sent or not. */
  purge(linkId: string, transaction: DatabaseTransaction): Promise<void>;
}

/** What a mail's body is sealed for. */
export function mailContext(id: string): string {
  return `mail ${id}`;
}

export function createOutbox(options: { sealer: Sealer; clock: Clock; isDelivering: boolean }): Outbox {
  const { sealer, clock, isDelivering } = options;
  return {
    isDelivering,

    async add({ to, locale, kind, content, link }, transaction) {
      const id = createId();
      await transaction
        .insertInto('mails')
        .values({
          id,
          kind,
          recipient: to,
          locale,
          content: sealer.seal(JSON.stringify(content), mailContext(id)),
          link_id: link?.id ?? null,
          link_expires_at: link?.expiresAt ?? null,
          created_at: clock.now(),
        })
        .execute();
    },

    async purge(linkId, transaction) {
      await transaction.updateTable('mails').set({ content: null }).where('link_id', '=', linkId).execute();
    },
  };
}
