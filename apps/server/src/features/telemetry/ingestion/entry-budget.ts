import { setTimeout as delay } from 'node:timers/promises';
import { telemetryLimits } from '../../devices/index.ts';

/** The device sent more than any honest one for so long that it is not a coincidence. */
export class RateExceededError extends Error {
  override readonly name = 'RateExceededError';
}

export interface BudgetOptions {
  entriesPerSecond?: number;
  /** How long a device may be held back without a pause before it counts as flooding, in milliseconds. */
  floodMs?: number;
}

/** Longer entries count as more of them. */
const bytesPerEntry = 512;

/**
 * Slows a device down to half more than an honest one sends: while its entries wait, its own writing has to. Rejects with
 * `RateExceededError` when it makes use of that for long.
 */
export function createEntryBudget({
  entriesPerSecond = telemetryLimits.entriesPerSecond * 1.5,
  floodMs = 60_000,
}: BudgetOptions = {}) {
  const burst = entriesPerSecond * 2;
  let left = burst;
  let filledAt = performance.now();
  /** Since when it has been over its budget. */
  let overSince: number | undefined;

  return {
    /** `bytes` as they are when nothing is compressed. */
    async take({ count, bytes }: { count: number; bytes: number }, signal: AbortSignal): Promise<void> {
      const now = performance.now();
      left = Math.min(burst, left + ((now - filledAt) / 1000) * entriesPerSecond);
      filledAt = now;
      left -= count + Math.ceil(bytes / bytesPerEntry);
      if (left >= 0) {
        overSince = undefined;
        return;
      }
      overSince ??= now;
      if (now - overSince > floodMs) throw new RateExceededError();
      await delay((-left / entriesPerSecond) * 1000, undefined, { signal, ref: false });
    },
  };
}
