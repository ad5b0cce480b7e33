/** When one may ask again by a `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3). Undefined where it is neither. */
export function readRetryAfter(value: string | undefined, now: Date): Date | undefined {
  if (value === undefined) return undefined;
  // Thirty years are as good as any longer time, and still a date.
  const time = /^\d+$/.test(value) ? now.getTime() + Math.min(Number(value), 1e9) * 1000 : Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time);
}
