import {
  type FleetMetrics,
  type FleetPeriodRequest,
  type FleetPresence,
  limits,
  type SystemMetricName,
  type SystemMetricsRequest,
  systemMetricTable,
  type WorstControllers,
} from '@pult/contract';
import type { OrganizationCaller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { choosePeriod } from '../metrics/buckets.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import type { FleetMetricsRepository } from './fleet-metrics.repository.ts';
import { fleetPartMs } from './fleet-summary.ts';

interface Dependencies {
  repository: FleetMetricsRepository;
  store: MetricsStore;
  retentionDays: number;
}

/** What is older says nothing about now. */
const nowMs = 15 * 60_000;

/** The figures of an organization's whole fleet, or of the part of it that is the caller's. */
export function createFleetMetricsService(
  { clock }: Core,
  { repository, store, retentionDays }: Dependencies,
) {
  const readPeriod = (asked: { start: string; stop: string }, shortestMs: number) => {
    const period = choosePeriod(asked, { now: clock.now(), retentionDays });
    return period && { ...period, bucketMs: Math.max(period.bucketMs, shortestMs) };
  };

  return {
    async queryMetrics(
      { scope, organization: { id: organizationId, isPartial } }: OrganizationCaller,
      { name, ...asked }: SystemMetricsRequest,
    ): Promise<FleetMetrics> {
      const period = readPeriod(asked, fleetPartMs);
      if (!period) return [];
      if (isPartial) {
        // What is summed up is of whole organizations.
        const controllerIds = await repository.listIds(scope, organizationId);
        if (controllerIds.length === 0) return [];
        const figures = await store.queryPart({ organizationId, controllerIds, name, ...period });
        return figures.map(({ at, ...figure }) => ({ timestamp: at.toISOString(), ...figure }));
      }
      return repository.queryMetrics(scope, name, { organizationId, ...period });
    },

    async queryPresence(
      { scope, organization: { id: organizationId, isPartial } }: OrganizationCaller,
      asked: FleetPeriodRequest,
      // It is noted every minute.
      shortestMs = 60_000,
    ): Promise<FleetPresence> {
      const period = readPeriod(asked, shortestMs);
      if (!period) return [];
      if (isPartial) {
        // How it was is noted of whole organizations; of a part it is told how it is.
        const now = clock.now();
        if (now < period.start || now >= period.stop) return [];
        const { online, total } = await repository.countNow(scope, organizationId);
        return [{ timestamp: now.toISOString(), online, total }];
      }
      return repository.queryPresence(scope, {
        organizationId,
        ...period,
      });
    },

    /** Throws `metrics_unavailable` while the store does not answer. */
    async listWorst(
      { scope, organization: { id: organizationId, isPartial } }: OrganizationCaller,
      name: SystemMetricName,
    ): Promise<WorstControllers> {
      const among = isPartial ? await repository.listIds(scope, organizationId) : undefined;
      const now = clock.now().getTime();
      const found = await store.listWorst({
        organizationId,
        name,
        start: new Date(now - nowMs),
        // What a device measured this very moment has the time of now.
        stop: new Date(now + 1000),
        isLowWorst: systemMetricTable[name].isWorstWhenLow,
        limit: limits.worstControllers,
        among,
      });
      const ids = found.map(({ controllerId }) => controllerId);
      const controllers = await repository.describe(scope, organizationId, ids);
      return found.flatMap(({ controllerId, value }) => {
        const controller = controllers.get(controllerId);
        // Released meanwhile.
        return controller ? [{ ...controller, value }] : [];
      });
    },
  };
}
export type FleetMetricsService = ReturnType<typeof createFleetMetricsService>;
