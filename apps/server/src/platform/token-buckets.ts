import type { Clock } from '../../../platform/clock.ts';
import { toNetwork } from '../../../platform/network.ts';

/** A bucket of tokens per client (token bucket): `burst` at once, then `perSecond`. */
export function createRequestBudget(
  clock: Clock,
  { burst, perSecond, maxClients = 50_000 }: { burst: number; perSecond: number; maxClients?: number },
) {
  const buckets = new Map<string, { tokens: number; at: number }>();

  return {
    /** Takes one; otherwise the whole seconds to wait. A refused request takes nothing, so waiting always helps. */
    take(address: string): { waitSeconds: number } | undefined {
      const client = toNetwork(address);
      const now = clock.now().getTime();
      const bucket = buckets.get(client) ?? { tokens: burst, at: now };
      const seconds = Math.max(0, now - bucket.at) / 1000;
      const tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
      const isEnough = tokens >= 1;
      // Re-inserting keeps the map in order of use, so the oldest goes first when it is full.
      buckets.delete(client);
      buckets.set(client, { tokens: isEnough ? tokens - 1 : tokens, at: now });
      if (buckets.size > maxClients) buckets.delete(buckets.keys().next().value ?? '');
      return isEnough ? undefined : { waitSeconds: Math.ceil((1 - tokens) / perSecond) };
    },
  };
}
