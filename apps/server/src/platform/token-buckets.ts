import type { Clock } from './clock.ts';

export interface TokenRate {
  /** So many at once, after a pause. */
  burst: number;
  /** So many a second for as long as one likes. */
  perSecond: number;
}

export interface TokenBuckets {
  /** Takes one; otherwise the whole seconds to wait. A refusal takes nothing, so waiting always helps. */
  take(name: string): { waitSeconds: number } | undefined;
}

/** A bucket of tokens for each name, in memory: each server bounds its own, without a statement for each request. */
export function createTokenBuckets(
  clock: Clock,
  { burst, perSecond }: TokenRate,
  { maxBuckets = 50_000 } = {},
): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>();

  return {
    take(name) {
      const now = clock.now().getTime();
      const bucket = buckets.get(name) ?? { tokens: burst, at: now };
      const seconds = Math.max(0, now - bucket.at) / 1000;
      const tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
      const isEnough = tokens >= 1;
      // Re-inserting keeps the map in order of use, so the oldest goes first when it is full.
      buckets.delete(name);
      buckets.set(name, { tokens: isEnough ? tokens - 1 : tokens, at: now });
      if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? '');
      return isEnough ? undefined : { waitSeconds: Math.ceil((1 - tokens) / perSecond) };
    },
  };
}
