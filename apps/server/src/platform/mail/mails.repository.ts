import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../db/schema.ts';

export interface NewMail {
  id: string;
  kind: string;
  recipient: string;
  locale: Locale;
  content: Buffer;
  link: { id: string; expiresAt: Date } | undefined;
  createdAt: Date;
}

/** A mail that one delivery, and no other, is sending now. */
export interface ClaimedMail {
  id: string;
  recipient: string;
  locale: Locale;
  /** Null when its link died before it could be sent. */
  content: Buffer | null;
  /** This one included. */
  attempts: number;
}

/** SQL of the mails that wait, were sent or refused. */
export function createMailsRepository(db: Database) {
  return {
    async addMail(transaction: DatabaseTransaction, mail: NewMail): Promise<void> {
      await transaction
        .insertInto('mails')
        .values({
          id: mail.id,
          kind: mail.kind,
          recipient: mail.recipient,
          locale: mail.locale,
          content: mail.content,
          link_id: mail.link?.id ?? null,
          link_expires_at: mail.link?.expiresAt ?? null,
          created_at: mail.createdAt,
        })
        .execute();
    },

    async purgeOfLink(transaction: DatabaseTransaction, linkId: string): Promise<void> {
      await transaction.updateTable('mails').set({ content: null }).where('link_id', '=', linkId).execute();
    },

    /**
     * Takes a waiting mail until `claimedUntil`, one statement, so that two deliveries never send it at once.
     * Undefined when it waits no more or another delivery has it.
     */
    async claim(id: string, now: Date, claimedUntil: Date): Promise<ClaimedMail | undefined> {
      const isDead = sql<boolean>`link_expires_at <= ${now}`;
      return db
        .updateTable('mails')
        .set((eb) => ({ attempts: eb('attempts', '+', 1), claimed_until: claimedUntil }))
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .returning([
          'id',
          'recipient',
          'locale',
          'attempts',
          sql<Buffer | null>`case when ${isDead} then null else content end`.as('content'),
        ])
        .executeTakeFirst();
    },

    /** Until when another delivery has a mail that still waits. */
    async getClaimEnd(id: string): Promise<Date | undefined> {
      const row = await db
        .selectFrom('mails')
        .select('claimed_until')
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      return row?.claimed_until ?? undefined;
    },

    async markSent(id: string, sentAt: Date): Promise<void> {
      await db
        .updateTable('mails')
        .set({ status: 'sent', sent_at: sentAt, last_error: null, claimed_until: null })
        .where('id', '=', id)
        .execute();
    },

    async markFailed(
      transaction: DatabaseTransaction,
      id: string,
      failure: { error: string; isFinal: boolean },
    ): Promise<void> {
      await transaction
        .updateTable('mails')
        .set({
          status: failure.isFinal ? 'refused' : 'waiting',
          last_error: failure.error,
          claimed_until: null,
        })
        .where('id', '=', id)
        .execute();
    },

    /** Those that may still be of use to their recipients. */
    async listWaiting(transaction: DatabaseTransaction, now: Date, createdAfter: Date): Promise<string[]> {
      const rows = await transaction
        .selectFrom('mails')
        .select('id')
        .where('status', '=', 'waiting')
        .where('content', 'is not', null)
        .where('created_at', '>', createdAfter)
        .where((eb) => eb.or([eb('link_expires_at', 'is', null), eb('link_expires_at', '>', now)]))
        .orderBy('id')
        .execute();
      return rows.map((row) => row.id);
    },

    /** Bodies whose link is over, and of mails without one that are older than `plainBefore`. */
    async purgeBodies(now: Date, plainBefore: Date): Promise<void> {
      await db
        .updateTable('mails')
        .set({ content: null })
        .where('content', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('link_expires_at', '<=', now),
            eb.and([eb('link_id', 'is', null), eb('created_at', '<=', plainBefore)]),
          ]),
        )
        .execute();
    },

    async deleteOld(createdBefore: Date): Promise<void> {
      await db.deleteFrom('mails').where('created_at', '<=', createdBefore).execute();
    },

    /** Newest first, without the bodies. */
    listMails: (limit: number) =>
      db
        .selectFrom('mails')
        .select(['id', 'created_at', 'kind', 'recipient', 'status', 'attempts', 'last_error'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    getMail: (id: string) =>
      db
        .selectFrom('mails')
        .selectAll()
        // As text: what was typed need not be an id at all.
        .where(sql<boolean>`id::text = ${id}`)
        .executeTakeFirst(),
  };
}
export type MailsRepository = ReturnType<typeof createMailsRepository>;
