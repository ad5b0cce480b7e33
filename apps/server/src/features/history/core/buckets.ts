/** What a control was told to be in a part of time, which begins at a multiple of its length. */
export interface Bucket {
  /** Where it begins, in milliseconds. */
  at: number;
  min: number;
  /** Each value counts for as long as it stood, from the first one told in the part to its end. */
  mean: number;
  max: number;
  last: number;
}

export interface Point {
  /** In milliseconds. */
  at: number;
  value: number;
}

/**
 * A mean is one of so many places from the lowest to the highest value, both among them: finer than half of one is noise that takes
 * room. What is rolled has been averaged often, over extremes that are far apart.
 */
export const meanPlaces = { told: 32, rolled: 1024 } as const;
type Places = (typeof meanPlaces)[keyof typeof meanPlaces];
type Extremes = Pick<Bucket, 'min' | 'max'>;

/** The mean at a place; `findPlace` finds that again. */
export function meanAt({ min, max }: Extremes, place: number, places: number): number {
  if (min === max) return min;
  const mean = (min / places) * (places - place) + (max / places) * place;
  return Math.min(max, Math.max(min, mean)) + 0;
}

export function findPlace({ min, max, mean }: Omit<Bucket, 'at' | 'last'>, places: number): number {
  if (min === max) return 0;
  // Halved, as the distance of two large numbers may be beyond all.
  const place = Math.round(((mean / 2 - min / 2) / (max / 2 - min / 2)) * places);
  return !Number.isFinite(place) ? 0 : Math.min(places, Math.max(0, place));
}

function placeMean(mean: number, extremes: Extremes, places: Places): number {
  return meanAt(extremes, findPlace({ ...extremes, mean }, places), places);
}

const startOf = (at: number, length: number) => Math.floor(at / length) * length;

/**
 * Buckets of what was told, in whatever order it came: they depend on times alone, and of two values of one time on which was told
 * later. Parts in which nothing was told are left out.
 */
export function makeBuckets(points: readonly Point[], length: number): Bucket[] {
  const sorted = points.toSorted((a, b) => a.at - b.at);
  const buckets: Bucket[] = [];
  for (let index = 0; index < sorted.length; ) {
    const first = sorted[index];
    if (!first) break;
    const at = startOf(first.at, length);
    const known = at + length - first.at;
    let [min, max, last, mean] = [first.value, first.value, first.value, 0];
    for (; ; index += 1) {
      const point = sorted[index];
      if (!point || point.at >= at + length) break;
      const next = sorted[index + 1];
      const until = next ? Math.min(next.at, at + length) : at + length;
      min = Math.min(min, point.value);
      max = Math.max(max, point.value);
      last = point.value;
      mean += point.value * ((until - point.at) / known);
    }
    // Zero has no sign here: nobody reads one off a chart.
    const figures = { min: min + 0, max: max + 0, last: last + 0 };
    buckets.push({ at, ...figures, mean: placeMean(mean, figures, meanPlaces.told) });
  }
  return buckets;
}

/**
 * Both together, where the second was told later. In a part that both have, extremes are of both, the mean is between theirs, and what
 * was told later is the last.
 */
export function mergeBuckets(earlier: readonly Bucket[], later: readonly Bucket[]): Bucket[] {
  const [end, begin] = [earlier.at(-1)?.at, later[0]?.at];
  // One behind the other, as nearly always.
  if (end === undefined || begin === undefined || end < begin) return [...earlier, ...later];
  const merged = new Map(earlier.map((bucket) => [bucket.at, bucket]));
  for (const bucket of later) {
    const known = merged.get(bucket.at);
    if (!known) {
      merged.set(bucket.at, bucket);
      continue;
    }
    const figures = {
      min: Math.min(known.min, bucket.min),
      max: Math.max(known.max, bucket.max),
      last: bucket.last,
    };
    const mean = placeMean(known.mean / 2 + bucket.mean / 2, figures, meanPlaces.told);
    merged.set(bucket.at, { at: bucket.at, ...figures, mean });
  }
  return [...merged.values()].sort((a, b) => a.at - b.at);
}

/**
 * Longer buckets of shorter ones, which are in order. A part in which nothing was told stands at what was last before it, for as long
 * as one of the longer buckets at most; a longer bucket without any shorter one is left out.
 */
export function rollBuckets(buckets: readonly Bucket[], from: number, to: number): Bucket[] {
  if (from === to) return [...buckets];
  const rolled: Bucket[] = [];
  let before: Bucket | undefined;
  for (let index = 0; index < buckets.length; ) {
    const first = buckets[index];
    if (!first) break;
    const at = startOf(first.at, to);
    let { min, max, last } = first;
    let [mean, weight] = [0, 0];
    const add = (value: number, length: number) => {
      if (length <= 0) return;
      // As a running mean: a sum of large numbers would have no end.
      weight += length;
      mean += value * (length / weight) - mean * (length / weight);
    };
    const held = before ? Math.min(first.at, before.at + from + to) - at : 0;
    if (before && held > 0) {
      add(before.last, held);
      min = Math.min(min, before.last);
      max = Math.max(max, before.last);
    }
    for (; ; index += 1) {
      const bucket = buckets[index];
      if (!bucket || bucket.at >= at + to) break;
      min = Math.min(min, bucket.min);
      max = Math.max(max, bucket.max);
      last = bucket.last;
      add(bucket.mean, from);
      const next = buckets[index + 1];
      const until = next ? Math.min(next.at, at + to) : at + to;
      add(bucket.last, until - bucket.at - from);
      before = bucket;
    }
    const figures = { min, max, last };
    rolled.push({ at, ...figures, mean: placeMean(mean, figures, meanPlaces.rolled) });
  }
  return rolled;
}
