import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  /** Completes the sentence "Timed out: …". */
  what: string;
  /** Milliseconds after which waiting is a failure; never a pace that the test depends on. */
  timeoutMs?: number;
  intervalMs?: number;
}

/** Asks again and again until the answer is neither undefined nor false. Errors of `ask` are its failure. */
export async function poll<T>(
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  { what, timeoutMs = 30_000, intervalMs = 50 }: PollOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms: ${what}`);
    await delay(intervalMs);
  }
}
