import { type Bucket, mergeBuckets, rollBuckets } from './buckets.ts';
import { bucketLog, type Change } from './change-log.ts';
import { day, finest, hour, resolutions } from './resolutions.ts';
import type { Content } from './told-values.ts';

/** What stands of a series in one place, in buckets of one length. */
export interface Piece extends Content {
  length: number;
}

/** How long a switch counts as what it last was: agents tell all of it once a day. */
const heldLog = day + hour;

const byTime = (one: { at: number }, other: { at: number }) => one.at - other.at;

/** All buckets of the finest resolution, and changes with those told again: each says that it still was so. */
export function joinFinest(pieces: readonly Piece[]): Content {
  const finer = pieces.filter(({ length }) => length === finest.length);
  return {
    buckets: finer.reduce<Bucket[]>((known, { buckets }) => mergeBuckets(known, buckets), []),
    log: finer.flatMap(({ log }): Change[] => log).sort(byTime),
  };
}

/** Buckets of the resolution at `place`: those that were rolled before, and what is finer rolled with them. Nothing is later than `until`. */
export function rollPieces(pieces: readonly Piece[], place: number, until: number): Bucket[] {
  const { buckets, log } = joinFinest(pieces);
  let rolled = buckets;
  for (const [index, { length }] of resolutions.slice(1, place + 1).entries()) {
    const stored = pieces.filter((piece) => piece.length === length).flatMap((piece) => piece.buckets);
    rolled = mergeBuckets(
      stored.sort(byTime),
      rollBuckets(rolled, resolutions[index]?.length ?? length, length),
    );
    if (index === 0) rolled = mergeBuckets(rolled, bucketLog(log, length, { until, held: heldLog }));
  }
  return place === 0 ? mergeBuckets(rolled, bucketLog(log, finest.length, { until, held: heldLog })) : rolled;
}
