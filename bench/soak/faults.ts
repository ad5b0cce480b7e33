import { setTimeout as wait } from 'node:timers/promises';
import type { FaultProxy } from '@pult/testkit';

const nothing = {
  delayMs: 0,
  jitterMs: 0,
  lossShare: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  sliceBytes: Number.POSITIVE_INFINITY,
};
const bent = [
  { delayMs: 100 },
  { delayMs: 20, jitterMs: 80 },
  { lossShare: 0.02 },
  { bytesPerSecond: 100_000 },
  { sliceBytes: 100 },
];

const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)];
const between = (least: number, most: number) => least + Math.random() * (most - least);

/** Bends, silences and breaks a line by turns until the signal says stop; how often it was broken. */
export async function disturb(proxy: FaultProxy, signal: AbortSignal): Promise<number> {
  let resets = 0;
  try {
    for (;;) {
      await wait(between(2_000, 15_000), undefined, { signal });
      const kind = Math.random();
      if (kind < 0.3) {
        proxy.reset();
        resets += 1;
      } else if (kind < 0.4) {
        proxy.silence();
        await wait(between(1_000, 10_000), undefined, { signal });
        proxy.resume();
      } else {
        Object.assign(proxy, pick(bent));
        await wait(between(1_000, 10_000), undefined, { signal });
        Object.assign(proxy, nothing);
      }
    }
  } catch {
    // Told to stop: the line is left in order.
  }
  proxy.resume();
  Object.assign(proxy, nothing);
  return resets;
}
