/** Shortest limit, longest limit, and the time a link must live for the count to start over. */
export interface BackOffLimits {
  baseMs: number;
  maxMs: number;
  healthyMs: number;
}

export const backOffLimits: BackOffLimits = { baseMs: 1000, maxMs: 60_000, healthyMs: 60_000 };

/**
 * Full jitter: anywhere between nothing and a limit that doubles from `baseMs` to `maxMs`, so that a
 * fleet that lost its server together does not come back together. `attempt` counts from 0.
 */
export function getRetryDelay(
  attempt: number,
  random: () => number,
  { baseMs, maxMs } = backOffLimits,
): number {
  return random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
}

/** The number of the next attempt, after one whose link lived `livedMs` (0 when it never came up). */
export function getNextAttempt(attempt: number, livedMs: number, { healthyMs } = backOffLimits): number {
  return livedMs >= healthyMs ? 0 : attempt + 1;
}

/**
 * The wait that a busy server asks for, and up to half as long again (a second at least): it may tell
 * many devices the same.
 */
export function getAskedDelay(retryAfterMs: number, random: () => number): number {
  return retryAfterMs + random() * Math.max(1000, retryAfterMs / 2);
}
