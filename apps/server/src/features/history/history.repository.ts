import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { readChunks, type StoredChunk, secondsOf, spansBetween } from './chunk-rows.repository.ts';
import type { NextSpans, ReadingPlan } from './core/reading-plan.ts';
import { resolutions } from './core/resolutions.ts';

export interface Stored {
  chunks: StoredChunk[];
  hours: { hour: number; data: Buffer }[];
  /** In the order in which they were told. */
  incoming: { hour: number; data: Buffer }[];
}

export interface ReadQuery {
  controllerId: string;
  seriesIds: readonly number[];
  plan(nextSpans: NextSpans): ReadingPlan;
}

export async function readNextSpans(db: Database | DatabaseTransaction): Promise<NextSpans> {
  const rows = await db.selectFrom('history_rolls').selectAll().execute();
  const found = new Map(rows.map(({ resolution, next_span }) => [resolution, next_span]));
  return resolutions.map((_, place) => found.get(secondsOf(place)));
}

/**
 * SQL of what is kept, wherever it stands now. Written by the server for all organizations; whoever reads has been given the series by
 * a scope. What moves from one table to the next does so in one transaction, so it stands in one of them at any moment.
 */
export function createHistoryRepository(db: Database) {
  return {
    async insertIncoming(
      transaction: DatabaseTransaction,
      rows: readonly { controllerId: string; hour: number; data: Buffer }[],
    ): Promise<void> {
      if (rows.length === 0) return;
      await sql`
        insert into history_incoming (controller_id, hour, data)
        select * from unnest(${rows.map(({ controllerId }) => controllerId)}::uuid[],
          ${rows.map((row) => row.hour)}::integer[], ${rows.map(({ data }) => data)}::bytea[])`.execute(
        transaction,
      );
    },

    /** All that is kept of these series, as it is at one moment. */
    read: ({ controllerId, seriesIds, plan }: ReadQuery): Promise<Stored> =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (transaction) => {
          const nextSpans = await readNextSpans(transaction);
          const { chunks: wanted, hours } = plan(nextSpans);
          const chunks: StoredChunk[] = [];
          for (const { place, first, last } of wanted) {
            const spans = spansBetween(first, last);
            chunks.push(...(await readChunks(transaction, { place, spans, seriesIds })));
          }
          const { first, last } = hours;
          const ofHours = await transaction
            .selectFrom('history_hours')
            .select(['hour', 'data'])
            .where('controller_id', '=', controllerId)
            .where('hour', '>=', first)
            .where('hour', '<', last)
            .orderBy('hour')
            .execute();
          const incoming = await transaction
            .selectFrom('history_incoming')
            .select(['hour', 'data'])
            .where('controller_id', '=', controllerId)
            .where('hour', '>=', first)
            .where('hour', '<', last)
            .orderBy('id')
            .execute();
          return { chunks, hours: ofHours, incoming };
        }),
  };
}
export type HistoryRepository = ReturnType<typeof createHistoryRepository>;
