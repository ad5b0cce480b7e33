import { setTimeout as delay } from 'node:timers/promises';

/** Waits that long, or until the signal fires. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Stopped: the caller looks at the signal.
  }
}
