import { X509Certificate } from 'node:crypto';

const minute = 60_000;
const hour = 60 * minute;
/**
 * Let's Encrypt takes 5 failed looks an hour for each name: the first three of these stay below that. What lasts longer is seldom over
 * within minutes.
 */
const retryAfter = [5 * minute, 20 * minute, hour, 3 * hour, 6 * hour, 12 * hour];
const longestRetry = 7 * 24 * hour;
/** What is waited for by each server for itself, so that many of one network do not come at once. */
const jitter = 0.1;

/** At two thirds of the life, or a little earlier. */
export function chooseRenewal(pem: string, random = Math.random): Date {
  const { validFrom, validTo } = new X509Certificate(pem);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return new Date(from + ((to - from) * 2 * (1 - jitter * random())) / 3);
}

/** After that many failures, this one among them. `retryAt` is the authority's own wish. */
export function chooseRetry(
  failures: number,
  { now, retryAt }: { now: Date; retryAt: Date | undefined },
  random = Math.random,
): Date {
  const pause = retryAfter[Math.min(failures, retryAfter.length) - 1] ?? minute;
  const own = pause * (1 + jitter * random());
  const wished = Math.min((retryAt?.getTime() ?? 0) - now.getTime(), longestRetry);
  return new Date(now.getTime() + Math.max(own, wished));
}

/** Whoever starts a server anew may have mended what was wrong; one that starts again and again does not ask each time. */
export const patienceAtStart = 15 * minute;
