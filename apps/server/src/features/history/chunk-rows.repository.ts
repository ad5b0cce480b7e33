import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { resolutions } from './core/resolutions.ts';

export interface StoredChunk {
  seriesId: number;
  /** Milliseconds of a bucket. */
  length: number;
  span: number;
  data: Buffer;
}

/** By which a resolution is named in the database. */
export const secondsOf = (place: number) => (resolutions[place]?.length ?? 0) / 1000;
const toChunk = (row: {
  resolution: number;
  span: number;
  series_id: string;
  data: Buffer;
}): StoredChunk => ({
  seriesId: Number(row.series_id),
  length: row.resolution * 1000,
  span: row.span,
  data: row.data,
});

/** The last one is not included. */
export function spansBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
}

/** Those of the resolution before, which fill a span of this one. */
export function finerSpans(place: number, span: number): number[] {
  const count = (resolutions[place]?.span ?? 1) / (resolutions[place - 1]?.span ?? 1);
  return spansBetween(span * count, (span + 1) * count);
}

export async function readChunks(
  transaction: DatabaseTransaction,
  { place, spans, seriesIds }: { place: number; spans: readonly number[]; seriesIds: readonly number[] },
): Promise<StoredChunk[]> {
  const rows = await transaction
    .selectFrom('history_chunks')
    .selectAll()
    .where('resolution', '=', secondsOf(place))
    .where('span', '=', sql<number>`any(${[...spans]}::integer[])`)
    .where('series_id', '=', sql<string>`any(${[...seriesIds]}::bigint[])`)
    .orderBy('span')
    .execute();
  return rows.map(toChunk);
}

export async function saveChunks(
  transaction: DatabaseTransaction,
  chunks: readonly { place: number; span: number; seriesId: number; data: Buffer }[],
): Promise<void> {
  if (chunks.length === 0) return;
  await sql`
    insert into history_chunks (resolution, span, series_id, data)
    select * from unnest(${chunks.map(({ place }) => secondsOf(place))}::integer[],
      ${chunks.map(({ span }) => span)}::integer[], ${chunks.map(({ seriesId }) => seriesId)}::bigint[],
      ${chunks.map(({ data }) => data)}::bytea[])
    on conflict (resolution, span, series_id) do update set data = excluded.data`.execute(transaction);
}

/** Where the span of the next resolution has been rolled already, it is to be rolled again. */
export async function markDirty(
  transaction: DatabaseTransaction,
  { place, span, seriesIds }: { place: number; span: number; seriesIds: readonly number[] },
): Promise<void> {
  const next = place + 1;
  const coarser = resolutions[next];
  if (!coarser || seriesIds.length === 0) return;
  const coarserSpan = Math.floor((span * (resolutions[place]?.span ?? 1)) / coarser.span);
  await sql`
    insert into history_dirty (resolution, span, series_id)
    select ${secondsOf(next)}::integer, ${coarserSpan}::integer, id from unnest(${[...seriesIds]}::bigint[]) as id
    where ${coarserSpan} < (select next_span from history_rolls where resolution = ${secondsOf(next)})
    on conflict do nothing`.execute(transaction);
}
