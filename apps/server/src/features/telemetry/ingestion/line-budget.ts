import { setTimeout as delay } from 'node:timers/promises';
import { telemetryLimits } from '../../devices/index.ts';

/** The device sent more than any honest one for so long that it is not a coincidence. */
export class RateExceededError extends Error {
  override readonly name = 'RateExceededError';
}

export interface BudgetOptions {
  linesPerSecond?: number;
  /** How long a device may be held back without a pause before it counts as flooding, in milliseconds. */
  floodMs?: number;
}

/** Longer lines count as more of them. */
const bytesPerLine = 512;

/**
 * Slows a device down to half more than an honest one sends: while its lines wait, its own writing has to. Rejects with
 * `RateExceededError` when it makes use of that for long.
 */
export function createLineBudget({
  linesPerSecond = telemetryLimits.linesPerSecond * 1.5,
  floodMs = 60_000,
}: BudgetOptions = {}) {
  const burst = linesPerSecond * 2;
  let left = burst;
  let filledAt = performance.now();
  /** Since when it has been over its budget. */
  let overSince: number | undefined;

  return {
    async take(lines: readonly string[], signal: AbortSignal): Promise<void> {
      const now = performance.now();
      left = Math.min(burst, left + ((now - filledAt) / 1000) * linesPerSecond);
      filledAt = now;
      for (const line of lines) left -= 1 + Math.floor(line.length / bytesPerLine);
      if (left >= 0) {
        overSince = undefined;
        return;
      }
      overSince ??= now;
      if (now - overSince > floodMs) throw new RateExceededError();
      await delay((-left / linesPerSecond) * 1000, undefined, { signal, ref: false });
    },
  };
}
