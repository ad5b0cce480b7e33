import type { Clock } from '../../platform/clock.ts';

/** A bucket of tokens per client address (leaky bucket): `burst` at once, then `perSecond`. */
export function createRequestBudget(
  clock: Clock,
  { burst, perSecond }: { burst: number; perSecond: number },
) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const maxAddresses = 50_000;

  return {
    /** Takes one; otherwise the whole seconds to wait. */
    take(address: string): { waitSeconds: number } | undefined {
      const now = clock.now().getTime();
      const bucket = buckets.get(address);
      const refilled = bucket ? bucket.tokens + ((now - bucket.at) / 1000) * perSecond : burst;
      const tokens = Math.min(burst, refilled);
      // Re-inserting keeps the map in order of use, so the oldest goes first when it is full.
      buckets.delete(address);
      buckets.set(address, { tokens: Math.max(0, tokens - 1), at: now });
      if (buckets.size > maxAddresses)
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      return tokens >= 1 ? undefined : { waitSeconds: Math.ceil((1 - tokens) / perSecond) };
    },
  };
}
