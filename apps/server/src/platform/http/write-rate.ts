/** How fast one user may change things by calls of the API, however many sessions they have. */
export interface WriteRate {
  /** Counts one change. Undefined: it may be made; otherwise in how many seconds there is room for one. */
  take(userId: string): number | undefined;
}

export interface WriteRateLimits {
  /** So many at once, after a pause. */
  burst: number;
  /** So many a second for as long as one likes. */
  perSecond: number;
}

/** Far above what a person does in the console, and enough for a script that sets a fleet up. */
const defaults: WriteRateLimits = { burst: 300, perSecond: 5 };

/** In memory, as each server bounds its own: one more statement for each change would cost more than it saves. */
export function createWriteRate(
  { burst, perSecond }: WriteRateLimits = defaults,
  /** Milliseconds. Not the wall clock, which may jump. */
  now: () => number = () => performance.now(),
): WriteRate {
  /** When each user's room is whole again; those whose is are forgotten. */
  const wholeAt = new Map<string, number>();
  const each = 1_000 / perSecond;

  function forgetWhole(time: number): void {
    for (const [userId, at] of wholeAt) if (at <= time) wholeAt.delete(userId);
  }

  return {
    take(userId) {
      const time = now();
      const at = Math.max(wholeAt.get(userId) ?? 0, time);
      const missing = at + each - (time + burst * each);
      if (missing > 0) return Math.max(1, Math.ceil(missing / 1_000));
      if (wholeAt.size >= 1_000 && !wholeAt.has(userId)) forgetWhole(time);
      wholeAt.set(userId, at + each);
      return undefined;
    },
  };
}
