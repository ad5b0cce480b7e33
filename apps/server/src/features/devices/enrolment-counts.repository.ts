import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** Any constant will do, as long as nothing else takes it: it serializes what makes enrolments and adds up their counts. */
export const enrolmentsLock = 7_305_002;
/** How the counts say all networks. */
const all = '*';

/** SQL of how many devices nobody has claimed, which the database keeps as changes (migration 0015). */
export function createEnrolmentCounts(db: Database) {
  return {
    /**
     * Those of one network and all, with what this transaction has changed; adds up the pending changes of both. For
     * who holds the lock.
     */
    async countUnclaimed(transaction: DatabaseTransaction, network: string) {
      const { rows } = await sql<{ network: string; count: number }>`
        with pending as (
          delete from enrolment_counts where network = any(${[network, all]}::text[]) returning network, change
        )
        insert into enrolment_counts select network, sum(change) from pending group by network
        returning network, change as count`.execute(transaction);
      const countOf = (name: string) => rows.find((row) => row.network === name)?.count ?? 0;
      return { ofNetwork: countOf(network), ofAll: countOf(all) };
    },

    /**
     * Forgets the oldest device that was never linked and that nobody has claimed, of one network or of all; its id.
     * Not one that is being claimed, and not this one.
     */
    async deleteOldestNeverLinked(
      transaction: DatabaseTransaction,
      { network, except }: { network: string | undefined; except: string },
    ): Promise<string | undefined> {
      const isUnclaimed = sql`not exists (select from controllers where enrolment_id = enrolments.id)`;
      const { rows } = await sql<{ id: string }>`
        select id from enrolments
        where linked_at is null and id <> ${except} and ${isUnclaimed}
          ${network === undefined ? sql`` : sql`and network = ${network}`}
        order by created_at limit 1 for update skip locked`.execute(transaction);
      const [found] = rows;
      if (!found) return undefined;
      // Now that it is held: it may have been claimed before that, and makes room by it.
      await sql`delete from enrolments where id = ${found.id} and ${isUnclaimed}`.execute(transaction);
      return found.id;
    },

    /** Adds up the pending changes of all networks. */
    compact: () =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${enrolmentsLock})`.execute(transaction);
        await sql`
          with pending as (delete from enrolment_counts returning network, change)
          insert into enrolment_counts
            select network, sum(change) from pending group by network having sum(change) <> 0`.execute(
          transaction,
        );
      }),
  };
}
