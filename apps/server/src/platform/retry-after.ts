/** Of dates in HTTP one form names no zone, and all are of GMT (RFC 9110, section 5.6.7): the server's own zone has no part in them. */
function readDate(text: string): number {
  if (!/\d:\d\d/.test(text)) return Number.NaN;
  return Date.parse(/(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text} GMT`);
}

/**
 * When one may ask again by a `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3); some receivers write parts of a second.
 * Undefined where it is neither.
 */
export function readRetryAfter(value: string | undefined, now: Date): Date | undefined {
  const text = value?.trim() ?? '';
  // Thirty years are as good as any longer time, and still a date.
  const time = /^\d+(?:\.\d+)?$/.test(text)
    ? now.getTime() + Math.ceil(Math.min(Number(text), 1e9)) * 1000
    : readDate(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}
