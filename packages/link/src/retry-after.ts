/** The longest wait that is believed: a maintenance page may name hours, and nobody restarts a device in the field. */
const longestMs = 10 * 60_000;

/**
 * Milliseconds of a `Retry-After` header; undefined when it is none. A date is not taken: devices have wrong clocks.
 */
export function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || !/^[0-9]{1,9}$/.test(header)) return undefined;
  return Math.min(Number(header) * 1000, longestMs);
}

/** Resolves after that time, or as soon as the signal fires. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    // Not the one of timers/promises: tests can turn this one.
    const timer = setTimeout(settle, milliseconds);
    if (signal.aborted) settle();
    else signal.addEventListener('abort', settle, { once: true });
  });
}
