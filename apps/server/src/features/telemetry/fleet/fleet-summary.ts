import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import type { FleetMetricsRepository } from './fleet-metrics.repository.ts';

interface Dependencies {
  repository: FleetMetricsRepository;
  store: MetricsStore;
  retentionDays: number;
}

const minute = 60_000;
const day = 24 * 3600_000;
/** Fleets are summed up in parts of this length. */
export const fleetPartMs = 5 * minute;
/** A part is summed up again after these: devices that were away tell late what they measured. */
const lateMs = [2 * minute, 2 * 3600_000, 26 * 3600_000];
/** What is left of a longer time (after a rest of the server, or an update to this) is done by the next runs. */
const budgetMs = 20_000;
const partsPerRun = 300;

/**
 * Sums fleets up as time goes, from whichever store has the measurements: a day of 10,000 controllers is 14 million
 * points, far too many to be read for each look at a chart.
 */
export function createFleetSummary({ clock }: Core, { repository, store, retentionDays }: Dependencies) {
  const oldest = () => new Date(clock.now().getTime() - retentionDays * day);

  async function summarize(at: Date, passes?: number): Promise<void> {
    const figures = await store.summarize(at, new Date(at.getTime() + fleetPartMs));
    await repository.saveFigures(at, figures, passes);
  }

  return {
    /** Every minute: the part that runs, so that charts reach up to now, and those that are due. */
    async run(): Promise<void> {
      const began = performance.now();
      const now = clock.now();
      await repository.savePresence(new Date(Math.floor(now.getTime() / minute) * minute));
      try {
        await summarize(new Date(Math.floor(now.getTime() / fleetPartMs) * fleetPartMs));
        const due = { oldest: oldest(), now, stepMs: fleetPartMs, lateMs, limit: partsPerRun };
        for (const { at, passes } of await repository.listDue(due)) {
          await summarize(at, passes);
          if (performance.now() - began > budgetMs) return;
        }
      } catch (error) {
        // The store has told the log; what is due stays due.
        if (!(error instanceof DomainError && error.code === 'metrics_unavailable')) throw error;
      }
    },

    forget: () => repository.deleteBefore(oldest()),
  };
}
