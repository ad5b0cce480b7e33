import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { mailChannel } from './outbox.ts';

/** SQL of the mails as the administrator reads them. */
export function createMailsRepository(db: Database) {
  const mails = () => db.selectFrom('deliveries').where('channel', '=', mailChannel);
  return {
    /** Newest first, without the bodies. */
    listMails: (limit: number) =>
      mails()
        .select(['id', 'created_at', 'kind', 'recipient', 'status', 'attempts', 'last_error'])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    getMail: (id: string) =>
      mails()
        .selectAll()
        // As text: what was typed need not be an id at all.
        .where(sql<boolean>`id::text = ${id}`)
        .executeTakeFirst(),
  };
}
