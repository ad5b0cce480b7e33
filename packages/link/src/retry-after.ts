/** The longest wait that is believed: a maintenance page may name hours, and nobody restarts a device in the field. */
const longestMs = 10 * 60_000;

/**
 * Milliseconds of a `Retry-After` header; undefined when it is none. A date is not taken: devices have wrong clocks.
 */
export function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || !/^[0-9]{1,9}$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, longestMs);
}
