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

/** Where the authority does not say when to ask it again; and what is taken of what it says (RFC 9773, section 4.3). */
const askEach = 6 * hour;
const [askEarliest, askLatest] = [minute, 24 * hour];

export function chooseNextQuestion(now: Date, wished: Date | undefined): Date {
  const pause = wished === undefined ? askEach : wished.getTime() - now.getTime();
  return new Date(now.getTime() + Math.min(Math.max(pause, askEarliest), askLatest));
}

/** Later than this share of its life nobody's wish moves a renewal. */
const latestShare = 5 / 6;

/** Any time of the authority's window, each as likely; the one that is planned where it lies in it. */
export function adviseRenewal(
  pem: string,
  planned: Date,
  { start, end }: { start: Date; end: Date },
  random = Math.random,
): Date {
  const { validFrom, validTo } = new X509Certificate(pem);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  const latest = from + (to - from) * latestShare;
  const isInside = planned >= start && planned <= end;
  const wished = isInside
    ? planned.getTime()
    : start.getTime() + (end.getTime() - start.getTime()) * random();
  return new Date(Math.min(wished, latest));
}
