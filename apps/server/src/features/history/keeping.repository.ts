import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import {
  finerSpans,
  markDirty,
  readChunks,
  type StoredChunk,
  saveChunks,
  secondsOf,
  spansBetween,
} from './chunk-rows.repository.ts';
import { hourOf, keptSince, resolutions } from './core/resolutions.ts';
import { readNextSpans } from './history.repository.ts';

/** SQL by which a job moves what is kept from one table to the next, each step in one transaction: killed at any moment, it goes on. */
export function createKeepingRepository(db: Database) {
  return {
    readNextSpans: () => readNextSpans(db),

    /** Of what has not been closed; undefined where all has. */
    async findOldestHour(): Promise<number | undefined> {
      const { rows } = await sql<{ hour: number | null }>`
        select min(hour) as hour from history_incoming`.execute(db);
      return rows[0]?.hour ?? undefined;
    },

    /** Controllers with something of hours before this one that has not been closed. */
    async listOpenHours(before: number, limit: number): Promise<{ controllerId: string; hour: number }[]> {
      const { rows } = await sql<{ controllerId: string; hour: number }>`
        select controller_id as "controllerId", hour from history_incoming where hour < ${before}
        group by 1, 2 order by 1, 2 limit ${limit}`.execute(db);
      return rows;
    },

    /** Puts what came of an hour into its row. What comes meanwhile is left for the next time. */
    async closeHour(
      controllerId: string,
      hour: number,
      close: (known: Buffer | undefined, told: readonly Buffer[]) => Buffer,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await lockController(transaction, controllerId);
        const { rows } = await sql<{ id: string; data: Buffer }>`
          delete from history_incoming where controller_id = ${controllerId} and hour = ${hour}
          returning id, data`.execute(transaction);
        if (rows.length === 0) return;
        const told = rows.toSorted((one, other) => Number(one.id) - Number(other.id)).map(({ data }) => data);
        const known = await transaction
          .selectFrom('history_hours')
          .select('data')
          .where('controller_id', '=', controllerId)
          .where('hour', '=', hour)
          .executeTakeFirst();
        const data = close(known?.data, told);
        await transaction
          .insertInto('history_hours')
          .values({ controller_id: controllerId, hour, data })
          .onConflict((conflict) => conflict.columns(['controller_id', 'hour']).doUpdateSet({ data }))
          .execute();
      });
    },

    /** Controllers with closed hours of days that end before this hour, by the hour at which the day begins. */
    async listOpenDays(before: number, limit: number): Promise<{ controllerId: string; day: number }[]> {
      const { rows } = await sql<{ controllerId: string; day: number }>`
        select controller_id as "controllerId", hour / 24 as day from history_hours where hour < ${before}
        group by 1, 2 order by 1, 2 limit ${limit}`.execute(db);
      return rows;
    },

    /** Puts the hours of a day into a row for each series; what was rolled of it before is to be rolled again. */
    async closeDay(
      controllerId: string,
      day: number,
      close: (hours: readonly Buffer[]) => ReadonlyMap<number, (known: Buffer | undefined) => Buffer>,
    ): Promise<void> {
      const place = 0;
      await db.transaction().execute(async (transaction) => {
        await lockController(transaction, controllerId);
        const { rows } = await sql<{ hour: number; data: Buffer }>`
          delete from history_hours where controller_id = ${controllerId} and hour >= ${day * 24} and hour < ${day * 24 + 24}
          returning hour, data`.execute(transaction);
        if (rows.length === 0) return;
        const series = close(rows.toSorted((one, other) => one.hour - other.hour).map(({ data }) => data));
        const ids = [...series.keys()];
        const known = await readChunks(transaction, { place, spans: [day], seriesIds: ids });
        const dataOf = new Map(known.map(({ seriesId, data }) => [seriesId, data]));
        await saveChunks(
          transaction,
          Array.from(series, ([seriesId, write]) => ({
            place,
            span: day,
            seriesId,
            data: write(dataOf.get(seriesId)),
          })),
        );
        await sql`
          update history_series set last_at = to_timestamp(${(day + 1) * 86_400})
          where id = any(${ids}::bigint[]) and last_at < to_timestamp(${(day + 1) * 86_400})`.execute(
          transaction,
        );
        await markDirty(transaction, { place, span: day, seriesIds: ids });
      });
    },

    /** Series with something in these spans. */
    async listSeriesOf(place: number, spans: readonly number[]): Promise<number[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct series_id as id from history_chunks
        where resolution = ${secondsOf(place)} and span = any(${[...spans]}::integer[]) order by 1`.execute(
        db,
      );
      return rows.map(({ id }) => Number(id));
    },

    /** Makes one span of these series of the finer spans that it has, or makes it anew. */
    async roll(
      { place, span, seriesIds }: { place: number; span: number; seriesIds: readonly number[] },
      write: (finer: readonly StoredChunk[]) => Buffer | undefined,
    ): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await sql`
          delete from history_dirty where resolution = ${secondsOf(place)} and span = ${span}
            and series_id = any(${[...seriesIds]}::bigint[])`.execute(transaction);
        const finer = await readChunks(transaction, {
          place: place - 1,
          spans: finerSpans(place, span),
          seriesIds,
        });
        const bySeries = new Map<number, StoredChunk[]>();
        for (const chunk of finer) {
          const chunks = bySeries.get(chunk.seriesId) ?? [];
          chunks.push(chunk);
          bySeries.set(chunk.seriesId, chunks);
        }
        const rolled = Array.from(bySeries).flatMap(([seriesId, chunks]) => {
          const data = write(chunks);
          return data ? [{ place, span, seriesId, data }] : [];
        });
        await saveChunks(transaction, rolled);
        await markDirty(transaction, { place, span, seriesIds: rolled.map(({ seriesId }) => seriesId) });
      });
    },

    async saveNextSpan(place: number, span: number): Promise<void> {
      const values = { resolution: secondsOf(place), next_span: span };
      await db
        .insertInto('history_rolls')
        .values(values)
        .onConflict((conflict) => conflict.column('resolution').doUpdateSet({ next_span: span }))
        .execute();
    },

    async listDirty(place: number, limit: number): Promise<{ span: number; seriesIds: number[] }[]> {
      const { rows } = await sql<{ span: number; ids: string[] }>`
        select span, array_agg(series_id) as ids from (
          select span, series_id from history_dirty where resolution = ${secondsOf(place)} order by 1, 2 limit ${limit}
        ) as first group by 1 order by 1`.execute(db);
      return rows.map(({ span, ids }) => ({ span, seriesIds: ids.map(Number) }));
    },

    /** What is older than its resolution is kept, a span at a time: of a large fleet one takes a while. */
    async forget(now: number): Promise<void> {
      const oldestHour = hourOf(keptSince(0, now));
      for (const table of ['history_incoming', 'history_hours'] as const)
        await sql`delete from ${sql.table(table)} where hour < ${oldestHour}`.execute(db);
      for (const [place, { span }] of resolutions.entries()) {
        const resolution = secondsOf(place);
        const before = Math.floor(keptSince(place, now) / span);
        for (;;) {
          const { rows } = await sql<{ span: number | null }>`
            select min(span) as span from history_chunks where resolution = ${resolution}`.execute(db);
          const oldest = rows[0]?.span ?? before;
          if (oldest >= before) break;
          await sql`delete from history_chunks where resolution = ${resolution} and span = ${oldest}`.execute(
            db,
          );
        }
        await sql`delete from history_dirty where resolution = ${resolution} and span < ${before}`.execute(
          db,
        );
      }
    },

    /** All of these controllers. */
    async remove(controllerIds: readonly string[], now: number): Promise<void> {
      const ids = sql`any(${[...controllerIds]}::uuid[])`;
      await db.transaction().execute(async (transaction) => {
        await sql`delete from history_incoming where controller_id = ${ids}`.execute(transaction);
        await sql`delete from history_hours where controller_id = ${ids}`.execute(transaction);
        const { rows } = await sql<{ id: string }>`
          delete from history_series where controller_id = ${ids} returning id`.execute(transaction);
        if (rows.length === 0) return;
        const gone = rows.map(({ id }) => id);
        // By the key, which begins with the time: spans that may be there are few.
        for (const [place, { span }] of resolutions.entries()) {
          const spans = spansBetween(
            Math.floor(keptSince(place, now) / span) - 1,
            Math.floor(now / span) + 2,
          );
          for (const table of ['history_chunks', 'history_dirty'] as const)
            await sql`
              delete from ${sql.table(table)} where resolution = ${secondsOf(place)}
                and span = any(${spans}::integer[]) and series_id = any(${gone}::bigint[])`.execute(
              transaction,
            );
        }
      });
    },
  };
}
export type KeepingRepository = ReturnType<typeof createKeepingRepository>;

/** Two jobs at once, as where one has lost its lock, would both add to what was there before. */
async function lockController(transaction: DatabaseTransaction, controllerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('value history'), hashtext(${controllerId}))`.execute(
    transaction,
  );
}
