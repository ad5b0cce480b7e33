import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

/** SQL of measurements that wait for their store. Written by the server for all organizations alike. */
export function createMetricOutboxRepository(db: Database) {
  return {
    async add(transaction: DatabaseTransaction, lines: string): Promise<void> {
      await transaction.insertInto('metric_outbox').values({ lines }).execute();
    },

    /**
     * Takes the oldest out if `send` takes them, which has to be quick. False when there was none. Of several servers
     * each takes others.
     */
    async take(limit: number, send: (lines: string) => Promise<void>): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('metric_outbox')
          .selectAll()
          .orderBy('id')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute();
        if (rows.length === 0) return false;
        await send(rows.map(({ lines }) => lines).join(''));
        const ids = rows.map(({ id }) => id);
        await transaction.deleteFrom('metric_outbox').where('id', 'in', ids).execute();
        return true;
      });
    },

    /** How much waits, in characters. */
    async measure(): Promise<number> {
      const { rows } = await sql<{ size: number }>`
        select coalesce(sum(length(lines)), 0)::double precision as size from metric_outbox`.execute(db);
      return rows[0]?.size ?? 0;
    },
  };
}
export type MetricOutboxRepository = ReturnType<typeof createMetricOutboxRepository>;
