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
  /** How many could be taken now. */
  roomOf(name: string): number;
  /** Takes so many, of which `roomOf` has been asked: for what is charged only once it is done. */
  spend(name: string, count: number): void;
}

/** A bucket of tokens for each name, in memory: each server bounds its own, without a statement for each request. */
export function createTokenBuckets(
  clock: Clock,
  { burst, perSecond }: TokenRate,
  { maxBuckets = 50_000 } = {},
): TokenBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>();

  function fill(name: string): { tokens: number; at: number } {
    const now = clock.now().getTime();
    const { tokens, at } = buckets.get(name) ?? { tokens: burst, at: now };
    const seconds = Math.max(0, now - at) / 1000;
    return { tokens: Math.min(burst, tokens + seconds * perSecond), at: now };
  }

  function put(name: string, bucket: { tokens: number; at: number }): void {
    // Re-inserting keeps the map in order of use, so the oldest goes first when it is full.
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value ?? '');
  }

  return {
    take(name) {
      const { tokens, at } = fill(name);
      const isEnough = tokens >= 1;
      put(name, { tokens: isEnough ? tokens - 1 : tokens, at });
      return isEnough ? undefined : { waitSeconds: Math.ceil((1 - tokens) / perSecond) };
    },
    roomOf: (name) => Math.max(0, Math.floor(fill(name).tokens)),
    spend(name, count) {
      if (count === 0) return;
      const { tokens, at } = fill(name);
      put(name, { tokens: tokens - count, at });
    },
  };
}
