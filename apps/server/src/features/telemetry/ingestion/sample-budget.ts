import type { Clock } from '../../../platform/clock.ts';
import type { Source } from './batch.ts';

/** A week of one a minute is what an agent keeps while nobody hears it, and then tells at once. */
const burst = 12_000;
/** Twice as many as an agent that measures every 10 seconds, the most that it can be told to. */
const perSecond = 0.2;
/** Of a device that has just been claimed. */
const atFirst = 500;
/** Devices that are remembered; one that is not counts by the time of its claim. */
const maxDevices = 50_000;

type Measured = Pick<Source, 'serialNumber' | 'organizationId' | 'activatedAt'>;

/**
 * How many measurements of each device are kept: each takes room for as long as the retention, where a value takes the place of the one
 * before. By serial number, so that no new claim and no new connection begins it anew.
 */
export interface SampleBudget {
  /** Those that may be kept now. */
  roomOf(device: Measured): number;
  /** So many of them have been stored; what could not be comes again, and what was stored before is not charged twice. */
  spend(device: Measured, count: number): void;
}

export function createSampleBudget(dependencies: {
  clock: Clock;
  /** Whether nothing more of an organization is kept. */
  isHeld: (organizationId: string) => boolean;
}): SampleBudget {
  const { clock, isHeld } = dependencies;
  const buckets = new Map<string, { tokens: number; at: number }>();

  function fill({ serialNumber, activatedAt }: Measured): { tokens: number; at: number } {
    const now = clock.now().getTime();
    const { tokens, at } = buckets.get(serialNumber) ?? { tokens: atFirst, at: activatedAt.getTime() };
    const seconds = Math.max(0, now - at) / 1000;
    return { tokens: Math.min(burst, tokens + seconds * perSecond), at: now };
  }

  return {
    roomOf: (device) => (isHeld(device.organizationId) ? 0 : Math.max(0, Math.floor(fill(device).tokens))),
    spend(device, count) {
      if (count === 0) return;
      const { tokens, at } = fill(device);
      // In the order of use: who was not heard for longest is forgotten first.
      buckets.delete(device.serialNumber);
      buckets.set(device.serialNumber, { tokens: tokens - count, at });
      if (buckets.size > maxDevices) buckets.delete(buckets.keys().next().value ?? '');
    },
  };
}
